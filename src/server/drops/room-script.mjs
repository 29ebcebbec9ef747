// Keeps the page of a waiting room up to date without loading it again, so that nothing moves under a finger, and a screen reader says
// only what changed. Without it the page loads itself again.

const room = document.querySelector('#room')
const heading = document.querySelector('#heading')
const sentences = document.querySelector('#sentences')
const shop = document.title.split(' | ').at(-1)

/** A random part, so that a crowd does not ask at once. */
const wait = (seconds) => {
  clearTimeout(timer)
  timer = setTimeout(ask, seconds * 1000 * (0.85 + Math.random() * 0.3))
}
let timer

async function ask() {
  try {
    const headers = { accept: 'application/json', 'accept-language': document.documentElement.lang }
    const answer = await fetch(`/api/drops/${room.dataset.room}/room`, { headers })
    if (!answer.ok) throw new Error(`answered ${answer.status}`)
    const view = await answer.json()
    if (view.kind !== room.dataset.kind) {
      location.reload()
      return
    }
    const texts = view.sentences.map((text) => Object.assign(document.createElement('p'), { textContent: text }))
    const shown = [...sentences.children].map(({ textContent }) => textContent)
    if (shown.join('\n') !== view.sentences.join('\n')) sentences.replaceChildren(...texts)
    heading.textContent = view.heading
    document.title = `${view.heading} | ${shop}`
    wait(view.askAgainS)
  } catch {
    // The shop is busy or the connection is gone: the place stays.
    wait(10)
  }
}

wait(Number(room.dataset.askAgain))
// A phone that was asleep asks at once.
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) wait(0)
})
