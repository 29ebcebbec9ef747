/**
 * The only script of the sandbox's pages: sections marked `data-live` are fetched again every few seconds, unless the reader is
 * using them. Without it the pages still work and show the state when they were loaded.
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
