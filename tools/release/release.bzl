"""The rule that builds a release: its options do not depend on the command line."""

load("//bazel:optimised.bzl", "TRANSITION_ATTRS")

_PORTABLE = str(Label("//bazel:portable"))
_WHOLE = str(Label("//bazel:whole"))

# The archive contains the symbols of the agent apart, hence -g and no stripping. The options of the
# compiler, which contain paths of the build, are not recorded there.
_OPTIONS = {
    "//command_line_option:collect_code_coverage": False,
    "//command_line_option:compilation_mode": "opt",
    "//command_line_option:conlyopt": [],
    "//command_line_option:copt": ["-g", "-gno-record-gcc-switches"],
    "//command_line_option:cxxopt": [],
    "//command_line_option:features": [],
    "//command_line_option:linkopt": [],
    "//command_line_option:per_file_copt": [],
    "//command_line_option:strip": "never",
    _PORTABLE: True,
    _WHOLE: True,
}

def _set_options(_settings, _attr):
    return _OPTIONS

_release = transition(implementation = _set_options, inputs = [], outputs = _OPTIONS.keys())

def _impl(ctx):
    links = []
    for file in ctx.files.actual:
        link = ctx.actions.declare_file("release/" + file.basename)
        ctx.actions.symlink(output = link, target_file = file)
        links.append(link)
    return [DefaultInfo(files = depset(links), runfiles = ctx.runfiles(files = links))]

released = rule(
    implementation = _impl,
    attrs = dict(TRANSITION_ATTRS, actual = attr.label(cfg = _release, mandatory = True)),
    doc = "The files of the target `actual`, built as a release.",
)

def _file_impl(ctx):
    return [DefaultInfo(
        files = depset(ctx.files.actual),
        runfiles = ctx.runfiles(files = ctx.files.actual),
    )]

released_file = rule(
    implementation = _file_impl,
    attrs = dict(TRANSITION_ATTRS, actual = attr.label(cfg = _release, mandatory = True)),
    doc = "The files of the target `actual`, built as for a release, at their own paths in the runfiles.",
)
