"""How a record looks: on a screen by day and by night, on a phone, on paper."""

_LIGHT = """
--paper: #ffffff; --card: #f5f7fa; --ink: #18212f; --quiet: #526074; --line: #d3dae4;
--accent: #1b59c8; --good: #0f6236; --bad: #a3261a;
"""
_DARK = """
--paper: #10151d; --card: #18202b; --ink: #e7ecf3; --quiet: #a5b1c2; --line: #364153;
--accent: #86b4ff; --good: #74d6a0; --bad: #ffa396;
"""

STYLE = (
    f"""
:root {{ color-scheme: light dark; {_LIGHT} }}
@media (prefers-color-scheme: dark) {{ :root {{ {_DARK} }} }}
@media print {{ :root {{ color-scheme: light; {_LIGHT} }} }}
"""
    + """
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); line-height: 1.5;
  font: 16px/1.5 system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
main { max-width: 68rem; margin: 0 auto; padding: 2.5rem 1.5rem 4rem; }
header { border-bottom: 1px solid var(--line); padding-bottom: 1.5rem; }
.over { margin: 0 0 .5rem; color: var(--quiet); font-size: .875rem; }
.outcome { display: inline-block; margin: 0 0 .75rem; padding: .1rem .6rem; font-weight: 600;
  font-size: .875rem; border: 1.5px solid currentColor; border-radius: 1rem; }
h1 { margin: 0 0 1.25rem; font-size: 1.5rem; line-height: 1.35; font-weight: 650;
  max-width: 50rem; text-wrap: pretty; }
h2 { margin: 0 0 .75rem; font-size: 1.1875rem; line-height: 1.3; }
h3 { margin: 1.25rem 0 .5rem; font-size: 1rem; }
section { margin-top: 2.25rem; }
p, li { max-width: 46rem; text-wrap: pretty; overflow-wrap: break-word; }
p { margin: 0 0 .75rem; }
ul, ol { margin: 0 0 .75rem; padding-left: 1.35rem; }
li { margin-bottom: .35rem; }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr));
  gap: .75rem 1.75rem; margin: 0; }
dt { color: var(--quiet); font-size: .8125rem; }
dd { margin: 0; overflow-wrap: anywhere; }
.quiet { color: var(--quiet); }
.good { color: var(--good); font-weight: 600; white-space: nowrap; }
.bad { color: var(--bad); font-weight: 600; white-space: nowrap; }
.name { overflow-wrap: anywhere; }
.mono { font: .875em/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace;
  overflow-wrap: anywhere; }
.wide { overflow-x: auto; margin-bottom: .75rem; }
.wide:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
table { border-collapse: collapse; width: 100%; font-size: .9375rem; }
th, td { padding: .45rem .75rem; text-align: left; vertical-align: top;
  border-bottom: 1px solid var(--line); }
th:first-child, td:first-child { padding-left: 0; }
thead th { color: var(--quiet); font-size: .8125rem; font-weight: 600; vertical-align: bottom; }
tbody th { font-weight: 400; }
.figure { text-align: right; font-variant-numeric: tabular-nums; }
td.figure { white-space: nowrap; }
.short { white-space: nowrap; }
.short .sub { white-space: normal; }
td .mono { white-space: nowrap; }
.strong { font-weight: 650; }
.sub { display: block; color: var(--quiet); font-size: .8125rem; font-weight: 400; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr));
  gap: 1.5rem; margin: 1rem 0 1.5rem; }
figure { margin: 0; min-width: 0; }
figcaption { font-weight: 600; margin-bottom: .25rem; }
svg { display: block; width: 100%; max-width: 32rem; height: auto; font-size: 12.5px;
  fill: var(--ink); }
svg .axis { stroke: var(--line); stroke-width: 1; }
svg .tick { fill: var(--quiet); }
svg .held { fill: var(--ink); stroke: var(--ink); }
svg .failing { stroke: var(--ink); stroke-width: 1.6; fill: none; }
svg .bar { stroke: var(--quiet); stroke-width: 1.4; }
svg .line { stroke: var(--quiet); fill: none; }
svg .limit { stroke: var(--accent); stroke-width: 1.4; stroke-dasharray: 5 4; }
svg .ring { stroke: var(--accent); stroke-width: 2.5; fill: none; }
svg .today { stroke: var(--accent); stroke-width: 2; fill: none; }
footer { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line);
  color: var(--quiet); font-size: .875rem; }
@media (max-width: 600px) {
  main { padding: 1.25rem 1rem 3rem; }
  h1 { font-size: 1.25rem; }
  dl { grid-template-columns: 1fr 1fr; }
  th, td { padding: .4rem .5rem; }
  table { font-size: .875rem; }
  .gates, .settings, .sums, .works, .files { display: block; }
  :is(.gates, .settings, .sums, .works, .files) > * { display: block; }
  :is(.gates, .settings, .sums, .works, .files) tr { display: grid; gap: 0 1rem; padding: .4rem 0;
    border-bottom: 1px solid var(--line); }
  :is(.gates, .settings, .sums, .works, .files) :is(th, td) { border: 0; padding: 0; }
  .gates tr { grid-template-columns: minmax(0, 1fr) 3.75rem minmax(0, 1fr) 3.75rem; }
  .settings tr { grid-template-columns: minmax(0, 1fr) 5.5rem 6.5rem; }
  .sums tr { grid-template-columns: minmax(0, 1fr) auto; }
  .works tr { grid-template-columns: repeat(3, minmax(0, 1fr)); }
  .files tr { grid-template-columns: 6rem minmax(0, 1fr); }
  :is(.gates, .works, .files) th:first-child, .settings :is(th, td):last-child,
  .sums :is(th, td):nth-child(2) { grid-column: 1 / -1; }
  .sums :is(th, td):nth-child(2) { order: 3; color: var(--quiet); }
}
@media print {
  body { font-size: 10.5pt; }
  main { max-width: none; padding: 0; }
  section { margin-top: 1.5rem; }
  h2, h3 { break-after: avoid; }
  tr, figure, li { break-inside: avoid; }
  thead { display: table-header-group; }
  .wide { overflow: visible; }
}
"""
)
