import type { KeyName, Tab } from './browser.ts'

const SEEN_WITHIN_MS = 20_000
const POLL_MS = 100

const KINDS = {
  /** Includes PayPal's element, whose button is in its shadow root. */
  button: 'button, summary, paypal-button',
  link: 'a[href]',
  field: 'input, select, textarea',
  heading: 'h1, h2, h3',
  option: '[role=option]',
  text: 'main *, dialog *, [role=status] *',
} as const

/** @property name exact, or a pattern @property within a CSS selector */
type Target = [kind: keyof typeof KINDS, name: string | RegExp, within?: string | undefined]

export type Visitor = ReturnType<typeof createVisitor>

/** A visitor who finds elements by their accessible name. @param shop its URL */
export function createVisitor(tab: Tab, shop: string) {
  const findElement = ([kind, name, within = 'html']: Target, act: 'find' | 'scroll' | 'focus') =>
    typeof name === 'string'
      ? tab.run(findVisible, KINDS[kind], within, name, null, act)
      : tab.run(findVisible, KINDS[kind], within, name.source, name.flags, act)

  /** Waits until the element is visible. @returns its text */
  const see = async (...target: Target): Promise<string> =>
    (await waitFor(`no ${target[0]} ${String(target[1])}`, () => findElement(target, 'find'))).text

  /** Clicks the element once it is visible, does not move and nothing covers it. */
  async function pressFor(heldMs: number, target: Target): Promise<void> {
    let last: FoundElement | null = null
    const { x, y } = await waitFor(`no ${target[0]} ${String(target[1])} to press`, async () => {
      const before = last
      last = await findElement(target, 'scroll')
      return last?.isOnTop && last.x === before?.x && last.y === before.y ? last : undefined
    })
    await tab.press(x, y, heldMs)
  }
  const press = (...target: Target) => pressFor(0, target)

  /** @returns a field's value: the label of the selected option, `ticked` for a checked box */
  const valueOf = async (label: string | RegExp, within?: string) =>
    (await findElement(['field', label, within], 'find'))?.value

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
    /** Whether the element is visible now. */
    sees: async (...target: Target): Promise<boolean> => (await findElement(target, 'find')) !== null,
    valueOf,

    /** Opens a path of the shop and waits until the app is hydrated: earlier input would be lost. */
    async goto(path: string) {
      await tab.goto(new URL(path, shop).href)
      await waitFor('the app did not hydrate', () => tab.run(isHydrated))
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

    /** The list opens outside the page, so this sets the value and sends the browser's events. */
    async choose(label: string, option: string) {
      await see('field', label)
      await findElement(['field', label], 'focus')
      await tab.run((wanted) => {
        const { activeElement: list } = document
        if (!(list instanceof HTMLSelectElement)) return
        list.selectedIndex = Array.from(list.options).findIndex((candidate) => candidate.label === wanted)
        for (const name of ['input', 'change']) list.dispatchEvent(new Event(name, { bubbles: true }))
      }, option)
      await holds(label, option)
    },

    /** Clicks a checkbox once. @param heldMs how long the button is held @throws Error when it is not checked afterward */
    async tick(label: string, heldMs = 0) {
      await pressFor(heldMs, ['field', label])
      await holds(label, 'ticked')
    },

    /** With its query and its hash. */
    path: () => tab.run(() => location.href.slice(location.origin.length)),
  }
}

/** @returns the first truthy answer. @throws Error with the complaint on timeout */
async function waitFor<Answer>(
  complaint: string,
  poll: () => Promise<Answer | false | null | undefined>,
): Promise<NonNullable<Answer>> {
  const giveUpAt = Date.now() + SEEN_WITHIN_MS
  let problem = ''
  for (;;) {
    // A page that is being left cannot answer; the next page can.
    const answer = await poll().catch((cause: unknown) => {
      problem = `: ${String(cause)}`
    })
    if (answer) return answer
    if (Date.now() > giveUpAt) throw new Error(`${complaint}${problem}`)
    await new Promise((later) => setTimeout(later, POLL_MS))
  }
}

// The functions below run inside the page, without access to this file.

const isHydrated = () =>
  !document.querySelector('script[data-app]') ||
  Object.keys(document.querySelector('main') ?? {}).some((key) => key.startsWith('__reactProps'))

type FoundElement = { x: number; y: number; text: string; value: string; isOnTop: boolean }

/** @returns the first visible match. @param flags of the pattern in `name`; null for an exact name */
function findVisible(
  selector: string,
  within: string,
  name: string,
  flags: string | null,
  act: 'find' | 'scroll' | 'focus',
): FoundElement | null {
  const normalize = (text: string | null | undefined) => (text ?? '').replaceAll(/\s+/g, ' ').trim()
  const matches = (text: string) => (flags === null ? text === name : new RegExp(name, flags).test(text))
  const nameOf = (element: Element): string => {
    const by = element.getAttribute('aria-labelledby')?.split(' ') ?? []
    if (by.length > 0) return normalize(by.map((id) => document.getElementById(id)?.textContent).join(' '))
    const label = element.getAttribute('aria-label')
    if (label) return label
    const [firstLabel] = 'labels' in element && element.labels instanceof NodeList ? element.labels : []
    return normalize((firstLabel ?? element.shadowRoot ?? element).textContent)
  }
  const isShown = (element: Element) => element.checkVisibility({ visibilityProperty: true })
  const found = Array.from(document.querySelectorAll(within))
    .filter(isShown)
    .flatMap((part) => Array.from(part.querySelectorAll<HTMLElement>(selector)))
    .find((element) => isShown(element) && matches(nameOf(element)))
  if (!found) return null

  // A sheet that slides in may be reported at one place for longer than it takes to ask twice.
  const isMoving = () =>
    document
      .getAnimations()
      .some(({ effect }) => effect instanceof KeyframeEffect && effect.target?.contains(found) === true)
  const isOnTop = () => {
    if (isMoving()) return false
    const { x, y, width, height } = found.getBoundingClientRect()
    const top = document.elementFromPoint(x + width / 2, y + height / 2)
    return found.contains(top) || top?.closest('label')?.control === found
  }
  if (act === 'focus') found.focus()
  if (act === 'scroll' && !isOnTop()) found.scrollIntoView({ block: 'center', behavior: 'instant' })
  const { x, y, width, height } = found.getBoundingClientRect()
  const value = () => {
    if (found instanceof HTMLSelectElement) return normalize(found.selectedOptions[0]?.textContent)
    if (found instanceof HTMLTextAreaElement) return found.value
    if (!(found instanceof HTMLInputElement)) return ''
    if (found.type === 'checkbox' || found.type === 'radio') return found.checked ? 'ticked' : ''
    return found.value
  }
  return { x: x + width / 2, y: y + height / 2, text: normalize(found.textContent), value: value(), isOnTop: isOnTop() }
}
