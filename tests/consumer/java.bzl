"""A java_test for a Bazel without a Java toolchain, such as that of Debian 12.

With a Java toolchain, load java_test from @rules_java instead; nothing else changes.
"""

_SCRIPT = """#!/bin/bash
RUNPATH="${{TEST_SRCDIR:-$0.runfiles}}/{workspace}/"
exec "${{RUNPATH}}{java}" {flags} -cp "${{RUNPATH}}{jar}" {main} "$@"
"""

def _impl(ctx):
    jar = ctx.actions.declare_file(ctx.label.name + ".jar")
    ctx.actions.run_shell(
        inputs = ctx.files.srcs,
        tools = [ctx.file._javac, ctx.file._jar],
        outputs = [jar],
        arguments = [f.path for f in [ctx.file._javac, ctx.file._jar, jar] + ctx.files.srcs],
        command = "javac=$1 jar=$2 out=$3; shift 3; \"$javac\" -d classes \"$@\" && \"$jar\" cf \"$out\" -C classes .",
        mnemonic = "Javac",
    )
    flags = [ctx.expand_location(flag, ctx.attr.data).replace("$$", "$") for flag in ctx.attr.jvm_flags]
    script = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.write(script, is_executable = True, content = _SCRIPT.format(
        flags = " ".join(["\"%s\"" % flag for flag in flags]),
        jar = jar.short_path,
        java = ctx.file._java.short_path,
        main = ctx.attr.main_class,
        workspace = ctx.workspace_name,
    ))
    runfiles = ctx.runfiles(files = [jar, ctx.file._java] + ctx.files.data)
    return [DefaultInfo(executable = script, runfiles = runfiles)]

java_test = rule(
    implementation = _impl,
    attrs = {
        "srcs": attr.label_list(allow_files = [".java"], mandatory = True),
        "main_class": attr.string(mandatory = True),
        "jvm_flags": attr.string_list(),
        "data": attr.label_list(allow_files = True),
        "_java": attr.label(default = "@openjdk//:java", allow_single_file = True),
        "_javac": attr.label(default = "@openjdk//:javac", allow_single_file = True),
        "_jar": attr.label(default = "@openjdk//:jar", allow_single_file = True),
    },
    test = True,
)
