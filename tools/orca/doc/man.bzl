"""The rule that makes the man pages of orca."""

def _impl(ctx):
    folder = ctx.actions.declare_directory(ctx.label.name)
    ctx.actions.run(
        executable = ctx.file.generate,
        arguments = [ctx.file.orca.path, "man", folder.path],
        inputs = [ctx.file.orca],
        mnemonic = "ManPages",
        outputs = [folder],
        use_default_shell_env = True,  # for python3
    )
    return [DefaultInfo(files = depset([folder]), runfiles = ctx.runfiles(files = [folder]))]

man_pages = rule(
    implementation = _impl,
    attrs = {
        "generate": attr.label(allow_single_file = True, mandatory = True),
        "orca": attr.label(allow_single_file = True, mandatory = True),
    },
    doc = "A folder of man pages. The program `orca` knows its commands, so no list of them is here.",
)
