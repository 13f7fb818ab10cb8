#pragma once
/* Texts inside of XML and Markdown. The input may be any bytes. */
#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"

BEGIN_C

/* escape_utf8 appends the text as valid UTF-8. A byte that is not part of UTF-8 and a control
   character except '\n' become U+FFFD. So do characters that no XML may contain (surrogates,
   U+FFFE, U+FFFF). */
void escape_utf8(struct builder *b, struct span text);

/* escape_xml appends the text for an attribute or the content of an element: escape_utf8, with
   &amp; &lt; &gt; &quot; and, for newlines, &#10;. */
void escape_xml(struct builder *b, struct span text);

/* escape_markdown appends the text so that Markdown shows it as it is, also in a cell of a table.
   It does what escape_utf8 does, and writes a backslash before each character that means something
   to Markdown, entities for '<' and '&', and a space for a newline. */
void escape_markdown(struct builder *b, struct span text);

END_C
