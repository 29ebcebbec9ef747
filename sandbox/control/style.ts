/** The styles of the sandbox's own pages, sent inline with each page. */
export const style = `
:root {
  --ink: #23201b; --quiet: #5f584d; --paper: #f7f4ee; --card: #fffdf9; --line: #ddd5c7;
  --deep: #1d4a3a; --deeper: #12352a; --warm: #8a4b14; --good: #1e5b36; --bad: #9b2c2c;
  color-scheme: light;
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.55 system-ui, -apple-system, 'Segoe UI', sans-serif; }
a { color: var(--deep); text-underline-offset: .2em; }
a:hover { color: var(--deeper); text-decoration-thickness: 2px; }
:focus-visible { outline: 3px solid var(--warm); outline-offset: 2px; border-radius: 4px; }
.skip { position: absolute; left: -999px; }
.skip:focus { left: 1rem; top: .5rem; background: var(--card); padding: .5rem 1rem; z-index: 1; }
header.bar { background: var(--deeper); color: #f3efe6; }
header.bar > div { max-width: 72rem; margin: 0 auto; padding: .75rem 1rem; display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; align-items: center; }
header.bar strong { font: 600 1.25rem/1.3 Georgia, 'Times New Roman', serif; letter-spacing: .01em; }
header.bar nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin-left: auto; }
header.bar a { color: #f3efe6; padding: .5rem 0; }
header.bar a[aria-current] { font-weight: 650; text-decoration-thickness: 3px; }
header.bar a:hover { color: #fff; }
header.bar :focus-visible { outline-color: #f0c987; }
main { max-width: 72rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; display: grid; gap: 1.5rem; }
main > * { min-width: 0; }
h1, h2 { font-family: Georgia, 'Times New Roman', serif; font-weight: 600; line-height: 1.25; margin: 0; }
h1 { font-size: clamp(1.6rem, 5vw, 2.2rem); overflow-wrap: anywhere; }
h2 { font-size: 1.3rem; margin-bottom: .75rem; }
h3 { font-size: 1.05rem; line-height: 1.3; margin: 1rem 0 .25rem; }
.state { margin: .75rem 0; display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; }
p.state { display: block; }
.state ul.plain { list-style: none; padding: 0; }
p { margin: 0 0 .75rem; max-width: 68ch; }
p:last-child { margin-bottom: 0; }
.lead { color: var(--quiet); }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 1.25rem; }
.pair { display: grid; gap: 1.5rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); }
.tiles { display: grid; gap: .75rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 13rem), 1fr)); list-style: none; margin: 0; padding: 0; }
.tiles a { display: block; height: 100%; background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 1rem 1.25rem; text-decoration: none; color: inherit; }
.tiles a:hover { border-color: var(--deep); }
.tiles strong { display: block; color: var(--deep); text-decoration: underline; text-underline-offset: .2em; }
.row { display: flex; flex-wrap: wrap; gap: .5rem; align-items: end; }
.row > * { min-width: 0; max-width: 100%; }
form { margin: 0; }
label { display: block; font-weight: 600; font-size: .925rem; margin-bottom: .25rem; }
input, select { font: inherit; color: inherit; background: #fff; border: 1px solid #8d8474; border-radius: 8px; padding: .5rem .75rem; min-height: 2.75rem; max-width: 100%; }
button { font: inherit; font-weight: 600; min-height: 2.75rem; padding: .4rem 1rem; border-radius: 8px; border: 1px solid var(--deep); background: var(--deep); color: #fff; cursor: pointer; }
button:hover { background: var(--deeper); }
button.light { background: transparent; color: var(--deep); }
button.light:hover { background: #e9f0ea; }
table { border-collapse: collapse; width: 100%; }
th { text-align: left; font-size: .85rem; color: var(--quiet); font-weight: 600; }
tbody th { font-size: 1rem; color: inherit; font-weight: 600; }
th, td { padding: .6rem .75rem .6rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
tbody tr:last-child > * { border-bottom: 0; }
td, .wrap { overflow-wrap: anywhere; }
code, pre, .number { font-family: ui-monospace, 'SF Mono', Menlo, Consolas, monospace; font-size: .92em; }
.number { white-space: nowrap; }
pre { margin: 0; padding: 1rem; background: #f1ece2; border-radius: 10px; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
.tag { display: inline-block; white-space: nowrap; border-radius: 99px; padding: .05rem .65rem; font-size: .85rem; font-weight: 600; background: #ece5d8; color: #4d4436; }
.tag.good { background: #e0efe4; color: var(--good); }
.tag.bad { background: #f8e3e0; color: var(--bad); }
.empty { color: var(--quiet); }
.notice { border-left: 4px solid var(--bad); background: #f8e3e0; padding: .75rem 1rem; border-radius: 0 8px 8px 0; margin: 0; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: 0; }
dt { color: var(--quiet); } dd { margin: 0; overflow-wrap: anywhere; }
iframe { width: 100%; height: min(75vh, 60rem); border: 1px solid var(--line); border-radius: 10px; background: #fff; resize: vertical; }
details > summary { cursor: pointer; padding: .5rem 0; font-weight: 600; }
ul.plain { margin: 0; padding-left: 1.2rem; } ul.plain li { margin-bottom: .35rem; }
@media (max-width: 40rem) {
  header.bar nav { margin-left: 0; }
  table, tbody, tr, td, th[scope=row] { display: block; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tbody tr { padding: .75rem 0; border-bottom: 1px solid var(--line); }
  tbody tr:last-child { border-bottom: 0; }
  td, th[scope=row] { border: 0; padding: .15rem 0; font-size: 1rem; color: inherit; }
  td[data-label]::before { content: attr(data-label) ': '; color: var(--quiet); font-size: .85rem; }
}
`
