"""The rules of orca_contention_test() in defs.bzl. Both run contention.sh."""

def _quote(word):
    return "'" + word.replace("'", "'\\''") + "'"

# The label of the test, also for NAME.update.
def _find_name(ctx):
    name = str(ctx.label).lstrip("@")
    if ctx.label.workspace_name:
        name = "@" + name
    return name[:-len(".update")] if ctx.attr.update else name

# Replaces $(location) by the path in the runfiles, as the rules of Bazel do in the `args` of a test.
def _expand_locations(ctx, word):
    word = word.replace("$(location ", "$(rootpath ").replace("$(locations ", "$(rootpaths ")
    return ctx.expand_location(word, ctx.attr.data)

def _impl(ctx):
    words = {
        "budget": ctx.file.budget.short_path if ctx.file.budget else "",
        "name": _find_name(ctx),
        "options": "monitors=all,locks=all,filter=" + "+".join(ctx.attr.packages),
        "orca": ctx.executable._orca.short_path,
        "program": ctx.executable.target.short_path,
        "update": ctx.attr.update,
    }
    substitutions = {"={%s}" % key: "=" + _quote(value) for key, value in words.items()}
    substitutions["={runs}"] = "=%d" % ctx.attr.runs
    substitutions["={retries}"] = "=%d" % ctx.attr.retries
    substitutions["({arguments})"] = "(%s)" % " ".join([
        _quote(_expand_locations(ctx, word))
        for word in ctx.attr.arguments
    ])
    script = ctx.actions.declare_file(ctx.label.name + ".sh")
    ctx.actions.expand_template(
        template = ctx.file._template,
        output = script,
        substitutions = substitutions,
        is_executable = True,
    )
    runfiles = ctx.runfiles(files = ctx.files.budget + ctx.files.data)
    for target in [ctx.attr.target, ctx.attr._orca] + ctx.attr.data:
        runfiles = runfiles.merge(target[DefaultInfo].default_runfiles)
    return [DefaultInfo(executable = script, runfiles = runfiles)]

_ATTRS = {
    "arguments": attr.string_list(),
    "budget": attr.label(allow_single_file = True),
    "data": attr.label_list(allow_files = True),
    "packages": attr.string_list(mandatory = True, allow_empty = False),
    "retries": attr.int(mandatory = True),
    "runs": attr.int(mandatory = True),
    "target": attr.label(mandatory = True, executable = True, cfg = "target"),
    "update": attr.string(doc = "The path of the file of budgets in the workspace; empty for a test."),
    "_orca": attr.label(default = "//tools:orca", executable = True, cfg = "target"),
    "_template": attr.label(default = "//bazel:contention.sh", allow_single_file = True),
}

contention_test = rule(implementation = _impl, attrs = _ATTRS, test = True)

contention_update = rule(implementation = _impl, attrs = _ATTRS, executable = True)
