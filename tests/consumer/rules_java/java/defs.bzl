"""A java_binary and a java_test for a Bazel without a Java toolchain, such as that of Debian 12.

This repository takes the place of @rules_java. The rules have only the attributes that docs/bazel.md uses.
java_test has no test runner, so `use_testrunner` has to be False.
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

_ATTRS = {
    "srcs": attr.label_list(allow_files = [".java"], mandatory = True),
    "main_class": attr.string(mandatory = True),
    "jvm_flags": attr.string_list(),
    "data": attr.label_list(allow_files = True),
    "_java": attr.label(default = "//:jdk/bin/java", allow_single_file = True),
    "_javac": attr.label(default = "//:jdk/bin/javac", allow_single_file = True),
    "_jar": attr.label(default = "//:jdk/bin/jar", allow_single_file = True),
}

java_binary = rule(implementation = _impl, attrs = _ATTRS, executable = True)

java_test = rule(
    implementation = _impl,
    attrs = dict(_ATTRS, use_testrunner = attr.bool(mandatory = True)),
    test = True,
)

# Bazel 4 loads these to resolve any toolchain, even that of C.
java_import = native.java_import
java_library = native.java_library
java_package_configuration = native.java_package_configuration
java_plugin = native.java_plugin
java_runtime = native.java_runtime
java_toolchain = native.java_toolchain
