import type { KeyName, Tab } from './browser.ts'

const SEEN_WITHIN_MS = 20_000
const POLL_MS = 100

const KINDS = {
  /** Also the provider's own element, which hides its button inside. */
  button: 'button, summary, paypal-button',
  link: 'a[href]',
  field: 'input, select, textarea',
  heading: 'h1, h2, h3',
  option: '[role=option]',
  /** Whatever says it. */
  text: 'main *, dialog *, [role=status] *',
} as const

/** What kind of thing is meant; what it is called, to the letter or by a pattern; where, as CSS. */
type Which = [kind: keyof typeof KINDS, name: string | RegExp, within?: string | undefined]

export type Visitor = ReturnType<typeof createVisitor>

/** Somebody who knows things by what they are called. @param shop where paths begin */
export function createVisitor(tab: Tab, shop: string) {
  const look = ([kind, name, within = 'html']: Which, act: 'look' | 'come' | 'focus') =>
    typeof name === 'string'
      ? tab.run(findVisible, KINDS[kind], within, name, null, act)
      : tab.run(findVisible, KINDS[kind], within, name.source, name.flags, act)

  /** @returns what it says, once it is shown */
  const see = async (...which: Which): Promise<string> =>
    (await waitFor(`no ${which[0]} ${String(which[1])}`, () => look(which, 'look'))).text

  /** Once it is in sight, moves no more, and nothing lies over it. */
  async function pressFor(heldMs: number, which: Which): Promise<void> {
    let last: FoundElement | null = null
    const { x, y } = await waitFor(`no ${which[0]} ${String(which[1])} to press`, async () => {
      const before = last
      last = await look(which, 'come')
      return last?.isOnTop && last.x === before?.x && last.y === before.y ? last : undefined
    })
    await tab.press(x, y, heldMs)
  }
  const press = (...which: Which) => pressFor(0, which)

  /** What a field holds: of a list the words, of a box whether it is ticked. */
  const valueOf = async (label: string | RegExp, within?: string) =>
    (await look(['field', label, within], 'look'))?.value

  const holds = (label: string | RegExp, value: string, within?: string) =>
    waitFor(`${String(label)} does not hold ${value}`, async () => (await valueOf(label, within)) === value)

  return {
    run: tab.run,
    picture: tab.picture,
    type: tab.type,
    key: (name: KeyName) => tab.key(name),
    until: waitFor,
    see,
    press,
    valueOf,

    /** @param path of the shop; it is open when its app is there: who types before is heard by nobody */
    async goto(path: string) {
      await tab.goto(new URL(path, shop).href)
      await waitFor('the app does not come', () => tab.run(isAwake))
    },

    async fill(label: string | RegExp, text: string, within?: string) {
      await press('field', label, within)
      await tab.run(() => {
        const { activeElement: field } = document
        if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) field.select()
      })
      await tab.type(text)
      await holds(label, text, within)
    },

    /** The list itself opens outside of the page: what is chosen there is told to the page as a browser tells it. */
    async choose(label: string, option: string) {
      await see('field', label)
      await look(['field', label], 'focus')
      await tab.run((wanted) => {
        const { activeElement: list } = document
        if (!(list instanceof HTMLSelectElement)) return
        list.selectedIndex = Array.from(list.options).findIndex(({ label: words }) => words === wanted)
        for (const name of ['input', 'change']) list.dispatchEvent(new Event(name, { bubbles: true }))
      }, option)
      await holds(label, option)
    },

    /** Presses once. @param heldMs as slow fingers hold it. @throws Error when that did not tick it */
    async tick(label: string, heldMs = 0) {
      await pressFor(heldMs, ['field', label])
      await holds(label, 'ticked')
    },

    /** With its query and its hash. */
    path: () => tab.run(() => location.href.slice(location.origin.length)),
  }
}

/** @returns the first answer that says more than no. @throws Error with the complaint when there is none in time */
async function waitFor<Answer>(
  complaint: string,
  ask: () => Promise<Answer | false | null | undefined>,
): Promise<NonNullable<Answer>> {
  const giveUpAt = Date.now() + SEEN_WITHIN_MS
  let problem = ''
  for (;;) {
    // A page that goes away while it is asked has no answer; the next one has.
    const answer = await ask().catch((cause: unknown) => {
      problem = `: ${String(cause)}`
    })
    if (answer) return answer
    if (Date.now() > giveUpAt) throw new Error(`${complaint}${problem}`)
    await new Promise((later) => setTimeout(later, POLL_MS))
  }
}

// From here on inside the page: nothing of this file is there.

const isAwake = () =>
  !document.querySelector('script[data-app]') ||
  Object.keys(document.querySelector('main') ?? {}).some((key) => key.startsWith('__reactProps'))

type FoundElement = { x: number; y: number; text: string; value: string; isOnTop: boolean }

/** The first that is shown; `flags` are null where the name is meant to the letter. */
function findVisible(
  selector: string,
  within: string,
  name: string,
  flags: string | null,
  act: 'look' | 'come' | 'focus',
): FoundElement | null {
  const words = (text: string | null | undefined) => (text ?? '').replaceAll(/\s+/g, ' ').trim()
  const isMeant = (text: string) => (flags === null ? text === name : new RegExp(name, flags).test(text))
  const nameOf = (element: Element): string => {
    const by = element.getAttribute('aria-labelledby')?.split(' ') ?? []
    if (by.length > 0) return words(by.map((id) => document.getElementById(id)?.textContent).join(' '))
    const label = element.getAttribute('aria-label')
    if (label) return label
    const [tied] = 'labels' in element && element.labels instanceof NodeList ? element.labels : []
    return words((tied ?? element.shadowRoot ?? element).textContent)
  }
  const isShown = (element: Element) => element.checkVisibility({ visibilityProperty: true })
  const found = Array.from(document.querySelectorAll(within))
    .filter(isShown)
    .flatMap((part) => Array.from(part.querySelectorAll<HTMLElement>(selector)))
    .find((element) => isShown(element) && isMeant(nameOf(element)))
  if (!found) return null

  const isOnTop = () => {
    const { x, y, width, height } = found.getBoundingClientRect()
    const top = document.elementFromPoint(x + width / 2, y + height / 2)
    return found.contains(top) || top?.closest('label')?.control === found
  }
  if (act === 'focus') found.focus()
  if (act === 'come' && !isOnTop()) found.scrollIntoView({ block: 'center', behavior: 'instant' })
  const { x, y, width, height } = found.getBoundingClientRect()
  const value = () => {
    if (found instanceof HTMLSelectElement) return words(found.selectedOptions[0]?.textContent)
    if (found instanceof HTMLTextAreaElement) return found.value
    if (!(found instanceof HTMLInputElement)) return ''
    if (found.type === 'checkbox' || found.type === 'radio') return found.checked ? 'ticked' : ''
    return found.value
  }
  return { x: x + width / 2, y: y + height / 2, text: words(found.textContent), value: value(), isOnTop: isOnTop() }
}
