#include "tools/orca/model/call_tree.h"

#include "tools/orca/model/names.h"
#include "tools/orca/render/unit.h"
#include "tools/orca/render/view/view.h"

#define RECURSION_FOOT "    ×N: the method calls itself, up to N calls deep\n"

struct drawing {
  struct table *table;
  const struct model *model;
  const struct call_tree *tree;
  bool up;               /* children are callers, not callees */
  ticks_t least;         /* nodes below this time are not drawn */
  size_t left;           /* rows that may still be drawn */
  size_t more;           /* rows that were not drawn, because `left` was 0 */
  bool recursive;        /* a method of some row calls itself */
  struct builder before; /* the lines of the tree to the left of the next name */
  const char *branch;    /* the last of these lines, which ends at the next name */
};

/* Methods that match the pattern can be overloads, so their parameters are written. */
static void put_name(struct builder *b, const struct drawing *d, const struct call_node *node) {
  const struct model *m = d->model;
  if (node->key & CALL_TREE_THREAD) {
    builder_string(b, "thread ");
    names_thread(b, &m->threads, (uint32_t)node->key);
    return;
  }
  names_method(b, m->dump, (uint32_t)node->key);
  if (d->up && node->parent == 0) names_parameters(b, m->dump, (uint32_t)node->key);
}

/* --- the table ------------------------------------------------------------------------ */

static void put_share(const struct cell *c) {
  const struct drawing *d = c->context;
  const struct call_node *node = c->row;
  cell_share(c->table, node->total, d->tree->total);
}

/* "│ ├ Cart.add ×3": the method calls itself. */
static void put_branch(const struct cell *c) {
  const struct drawing *d = c->context;
  const struct call_node *node = c->row;
  builder_bytes(c->text, d->before.data, d->before.len);
  builder_string(c->text, d->branch);
  put_name(c->text, d, node);
  if (node->times >= 2) builder_format(c->text, " ×%s", UNIT_COUNT(node->times));
}

static void put_node_name(const struct cell *c) { put_name(c->text, c->context, c->row); }

static void put_small(const struct cell *c) { cell_raw(c->table, *(const uint32_t *)c->member); }

#define SMALL(member) \
  .align = ALIGN_RIGHT, .put = put_small, COLUMN_MEMBER(struct call_node, member, uint32_t)

static const struct column columns[] = {
    {"total", ALIGN_RIGHT, .put = put_share},
    {"", .key = "total_ns", COLUMN_TICKS(struct call_node, total)},
    {"self", .key = "self_ns", COLUMN_TICKS(struct call_node, self)},
    {"calls", .shrinks = true, .put = put_branch},
    {.key = "depth", SMALL(depth)},
    {.key = "name", .put = put_node_name},
    {.key = "recursion", SMALL(times)}};

/* --- the walk over the tree ------------------------------------------------------------- */

static void put_children(struct drawing *d, const struct call_node *node, bool in_chain);

static void put_subtree(struct drawing *d, const struct call_node *node, const char *branch,
                        const char *below, bool in_chain) {
  size_t len = d->before.len;
  if (d->left == 0) {
    d->more++;
  } else {
    d->left--;
    d->branch = branch;
    d->recursive |= node->times >= 2;
    table_add(d->table, d, node);
  }
  builder_string(&d->before, below);
  put_children(d, node, in_chain);
  d->before.len = len;
}

/* If only one child is drawn, it begins a chain: it is indented once, and its descendants are not
   indented further until the tree branches. So deep stacks stay readable. `in_chain`: the node is
   part of a chain, and `before` does not contain the chain's indent yet. */
static void put_children(struct drawing *d, const struct call_node *node, bool in_chain) {
  size_t num, drawn = 0;
  const uint32_t *children = call_tree_children(d->tree, node, &num);
  while (drawn < num && d->tree->nodes[children[drawn]].total >= d->least) drawn++;
  if (in_chain && drawn != 1) builder_string(&d->before, "  ");
  for (size_t i = 0; i < drawn; i++) {
    const struct call_node *child = &d->tree->nodes[children[i]];
    if (node == NULL) {
      put_subtree(d, child, "", "", false);
    } else if (drawn == 1) {
      put_subtree(d, child, "└ ", "", true);
    } else {
      bool last = i + 1 == drawn;
      put_subtree(d, child, last ? "└ " : "├ ", last ? "  " : "│ ", false);
    }
  }
}

static void put_tree(struct page *p, const struct model *m, const struct call_tree *tree,
                     enum profile_value value, const struct view_tree *options, size_t top) {
  struct drawing d = {.model = m, .tree = tree, .left = top, .up = options->callers != NULL};
  struct builder heading = {0};
  d.table = TABLE_NEW(columns);
  d.least = (ticks_t)((double)tree->total * options->least_share);
  if (d.least == 0) d.least = 1;
  put_children(&d, NULL, false);
  const char *what = options->callers == NULL ? "Calls by " : "Callers by ";
  const char *legend = options->callers == NULL
                           ? " (below each its callees)"
                           : " (below each its callers; self: of the matching method)";
  view_hot_heading(&heading, what, value, tree->total, legend);
  page_table(p, "calls", heading.failed ? "" : heading.data, d.table, d.more);
  if (page_is_text(p) && d.recursive) builder_string(&p->out, RECURSION_FOOT);
  p->out.failed |= d.before.failed;
  builder_free(&d.before);
  builder_free(&heading);
}

void view_call_tree(struct page *p, const struct model *m, enum profile_value value,
                    const struct view_tree *options, size_t top) {
  struct call_tree tree = {0};
  bool good = options->callers == NULL ? call_tree_down(&tree, m, value, options->by_thread)
                                       : call_tree_up(&tree, m, value, options->callers);
  if (good) put_tree(p, m, &tree, value, options, top);
  p->out.failed |= !good;
  call_tree_free(&tree);
}
