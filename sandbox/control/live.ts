/**
 * The only script of the sandbox's pages: sections marked `data-live` are fetched again every few seconds, unless somebody is in the
 * middle of using them. Without it the pages work, and show what was true when they were loaded.
 */
export const liveScript = `'use strict'
const sections = document.querySelectorAll('[data-live]')
async function refresh(section) {
  if (document.hidden || section.contains(document.activeElement)) return
  const answer = await fetch(section.dataset.live).catch(() => undefined)
  if (!answer || !answer.ok) return
  const now = await answer.text()
  if (now !== section.dataset.shown) section.innerHTML = now
  section.dataset.shown = now
}
for (const section of sections) setInterval(() => refresh(section), 4000)
`
