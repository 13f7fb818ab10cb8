"""Orca from the archive of a release, for workspaces that shall not build it.

In WORKSPACE, with the source of Orca as @orca_source:

    load("@orca_source//bazel:prebuilt.bzl", "orca_prebuilt")

    orca_prebuilt(
        name = "orca",
        sha256 = "...",
        urls = ["https://example.com/orca-0.1.0-linux-x86_64.tar.gz"],
        version = "0.1.0",
    )

For arm64, take the archive orca-...-linux-aarch64.tar.gz, and add cpu = "aarch64".

@orca then has the labels of the source that other workspaces use: //bazel:defs.bzl, //bazel:profile,
//tools:agent, //tools:orca and //tools:orca_reader. MODULE.bazel uses extensions.bzl.
"""

# Where the repository gets its files from, apart from the archive.
_FILES = {
    "BUILD": "//bazel/prebuilt:root.BUILD",
    "agent/BUILD": "//bazel/prebuilt:agent.BUILD",
    "bazel/BUILD": "//bazel/prebuilt:bazel.BUILD",
    "bazel/contention.bzl": "//bazel:contention.bzl",
    "bazel/contention.sh": "//bazel:contention.sh",
    "bazel/defs.bzl": "//bazel:defs.bzl",
    "bazel/flags.bzl": "//bazel:flags.bzl",
    "bazel/optimised.bzl": "//bazel:optimised.bzl",
    "tools/BUILD": "//bazel/prebuilt:tools.BUILD",
    "tools/defs.bzl": "//tools:defs.bzl",
}

def _orca_prebuilt_impl(ctx):
    ctx.download_and_extract(
        url = ctx.attr.urls,
        sha256 = ctx.attr.sha256,
        stripPrefix = "orca-%s-linux-%s" % (ctx.attr.version, ctx.attr.cpu),
    )
    for path, label in _FILES.items():
        ctx.symlink(Label(label), path)
    ctx.file("WORKSPACE", "")

    # The label of the source.
    ctx.symlink("lib/liborca.so", "agent/liborca.so")

orca_prebuilt = repository_rule(
    implementation = _orca_prebuilt_impl,
    attrs = {
        "cpu": attr.string(default = "x86_64", values = ["aarch64", "x86_64"], doc = "The CPU in the name of the archive."),
        "sha256": attr.string(mandatory = True, doc = "The sum in the file .sha256 of the release."),
        "urls": attr.string_list(mandatory = True, doc = "Where orca-VERSION-linux-CPU.tar.gz is; file:// is allowed."),
        "version": attr.string(mandatory = True, doc = "The version of the release, such as 0.1.0."),
    },
    doc = "Orca from the archive of a release.",
)
