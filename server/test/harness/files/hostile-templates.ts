// Templates that take, or produce, as much as a template can, each within the 50,000 characters that one may have.
const range = '(1..100000)'
const terms = (count: number, term: string, joint: string) => Array.from({ length: count }, () => term).join(joint)
const doubling = (times: number) => `{% assign s = "0123456789" %}${'{% assign s = s | append: s %}'.repeat(times)}`
const capturing = (times: number) =>
  `{% capture s %}0123456789{% endcapture %}${'{% capture s %}{{ s }}{{ s }}{% endcapture %}'.repeat(times)}`
const within = (count: number, inner: string) =>
  `${Array.from({ length: count }, (_none, at) => `{% for v${at} in ${range} %}`).join('')}${inner}${'{% endfor %}'.repeat(count)}`

/** Named by what each tries. */
export const hostileTemplates: Readonly<Record<string, string>> = {
  'a condition of thousands of terms over a range': `{% for i in ${range} %}{% if ${terms(4500, 'i > 0', ' and ')} %}x{% endif %}{% endfor %}`,
  'a condition of thousands of searches in a long text': `${doubling(14)}{% if ${terms(2500, 's contains "z"', ' or ')} %}x{% endif %}`,
  'loops in loops': within(4, ''),
  'loops in loops that write': within(4, '.'),
  'a range without end': '{% for i in (1..100000000000) %}{{ i }}{% endfor %}',
  'a text that doubles': `${doubling(30)}{{ s }}`,
  'a text that doubles, written by a filter': `${doubling(26)}{{ s | upcase | escape }}`,
  'texts captured in texts': `${capturing(40)}{{ s }}`,
  'long captured texts without number': `${capturing(14)}${Array.from({ length: 700 }, (_none, at) => `{% capture c${at} %}{{ s }}1{% endcapture %}{% if c${at} < s %}{% endif %}`).join('')}`,
  'a text taken apart again and again': `${doubling(16)}${'{% assign a = s | split: "" | join: "-" | split: "" | reverse | join: "+" %}'.repeat(300)}`,
  'a text replaced by itself': `{% assign s = "aaaaaaaaaa" %}${'{% assign s = s | replace: "a", s %}'.repeat(12)}{{ s }}`,
  'a list that doubles': `{% assign a = "a,b,c,d" | split: "," %}${'{% assign a = a | concat: a %}'.repeat(40)}{{ a | size }}`,
  'a list that is sorted again and again': `${doubling(14)}{% assign a = s | split: "" %}{% for i in ${range} %}{% assign b = a | sort | reverse | sort_natural | uniq | map: "x" %}{% endfor %}`,
  'a list that is searched again and again': `${doubling(13)}{% assign a = s | split: "" %}{% for i in ${range} %}{% assign b = a | where: "size", 2 %}{% endfor %}`,
  'numbers that grow': `{% assign n = 9 %}${'{% assign n = n | times: n %}'.repeat(1500)}{{ n }}`,
  'a list of lists': `{% assign a = "a" | split: "," %}${'{% assign a = a | push: a | push: a %}'.repeat(40)}{{ a }}`,
  'tags in tags': `${'{% if true %}'.repeat(1800)}x${'{% endif %}'.repeat(1800)}`,
  'filters upon filters': `{{ "a" ${'| append: "a" '.repeat(3500)} }}`,
  'brackets in brackets': `{{ ${'a['.repeat(20_000)} }}`,
  'HTML that is stripped slowly': `${doubling(10)}{% assign s = s | replace: "0123456789", "<script" %}{% for i in ${range} %}{{ s | strip_html }}{% endfor %}`,
  'much text': within(1, '0123456789'),
  'much text of several bytes a character': within(1, '😀😀'),
  'a file as a partial': `{% for i in ${range} %}{% render "self" %}{% endfor %}`,
  'a layout of itself': '{% layout "self" %}{% block a %}{{ block.super }}{% endblock %}',
  'a date of a long format': `${doubling(16)}{% assign s = s | replace: "0", "%A %B %c" %}{% for i in ${range} %}{{ "now" | date: s }}{% endfor %}`,
  'a table of many cells': `{% tablerow i in ${range} cols: 1 %}{% tablerow j in ${range} cols: 1 %}{{ i }}{% endtablerow %}{% endtablerow %}`,
}
