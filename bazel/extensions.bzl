"""The module extension of orca_prebuilt(): Orca from the archive of a release.

With the module of Orca as @orca_source (docs/bazel.md has the whole file):

    prebuilt = use_extension("@orca_source//bazel:extensions.bzl", "prebuilt")
    prebuilt.archive(
        name = "orca",
        sha256 = "...",
        urls = ["https://example.com/orca-0.1.0-linux-x86_64.tar.gz"],
        version = "0.1.0",
    )
    use_repo(prebuilt, "orca")
"""

load(":prebuilt.bzl", "orca_prebuilt")

def _prebuilt_impl(ctx):
    for module in ctx.modules:
        for archive in module.tags.archive:
            orca_prebuilt(
                name = archive.name,
                cpu = archive.cpu,
                sha256 = archive.sha256,
                urls = archive.urls,
                version = archive.version,
            )

prebuilt = module_extension(
    implementation = _prebuilt_impl,
    tag_classes = {
        "archive": tag_class(attrs = {
            "name": attr.string(mandatory = True),
            "cpu": attr.string(default = "x86_64"),
            "sha256": attr.string(mandatory = True),
            "urls": attr.string_list(mandatory = True),
            "version": attr.string(mandatory = True),
        }),
    },
)
