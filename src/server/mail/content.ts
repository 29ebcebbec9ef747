import type { PicturedTheme } from '#domain/catalog/collection-theme.ts'
import { fillPlaceholders, houseTexts, type MailName, type MailTexts } from '#domain/messages/mail-texts.ts'
import { splitLanguage, spokenAddress } from '#shared/language.ts'
import { formatUsd, type Cents } from '#shared/money.ts'
import { say, sayKnown } from '#words/say.ts'
import type { Word } from '#words/words.ts'
import { SITE } from './site-facts.ts'

export type Item = {
  productName: string
  variantName: string | null
  quantity: number
  /** A path on the shop's host. */
  imageUrl?: string | null
}

export type OrderLine = Item & { unitPrice: Cents; imageUrl: string | null }

export type AmountRow = { name: string; amount: Cents | 'Free' }
export const amountText = (amount: AmountRow['amount']): string => (amount === 'Free' ? say(amount) : formatUsd(amount))

/** `Total: $5.00`. */
export const labeled = (name: string, value: string): string => say('{name}: {value}', { name, value })

/** The same page in the spoken language. @param url of the shop, or of another site, which stays as it is */
export function spokenUrl(url: string, publicUrl: string): string {
  const path = url.slice(publicUrl.length)
  if (!url.startsWith(publicUrl) || !/^(?:[/?#]|$)/.test(path)) return url
  const spoken = spokenAddress(splitLanguage(path || '/').path)
  return spoken === '/' ? url : publicUrl + spoken
}

/** What an order goes through, as its emails draw it. */
export const orderStages = ['Ordered', 'Being made', 'On its way', 'Delivered'] as const satisfies readonly Word[]
export type OrderStage = (typeof orderStages)[number]

export type Block =
  /** An empty line starts a paragraph; line breaks are kept. */
  | { kind: 'paragraph'; text: string }
  /** Facts without a value are left out. */
  | { kind: 'facts'; facts: readonly (readonly [name: string, value: string | null])[] }
  /** Where an order is, and when it arrives: `Dec 3–9`, null if no day can be named. */
  | { kind: 'progress'; stage: OrderStage; arrives: string | null }
  | { kind: 'items'; title: string; items: readonly Item[] }
  | { kind: 'order lines'; lines: readonly OrderLine[] }
  | { kind: 'amounts'; rows: readonly AmountRow[]; total: Cents }
  | { kind: 'lines'; title: string; lines: readonly string[]; isNumbered?: boolean }
  | { kind: 'button'; text: string; url: string }
  /** A sentence with a link. `asText` replaces both in the text part. */
  | { kind: 'small print'; text: string; link: { text: string; url: string; end?: string }; asText: string }

/** An email as data: `renderHtml` and `renderText` write its two parts. Nothing in it is escaped. */
export type MailContent = {
  subject: string
  /** Heading of the HTML part. */
  title?: string
  /** Shown next to the subject in the inbox. */
  preheader?: string
  /** Left out, the shop's own. */
  theme?: PicturedTheme
  /** Shows the collection's animal beside the title. */
  hasAnimal?: boolean
  /** For the shop's own people: no header, no footer. */
  isPlain?: boolean
  blocks: readonly Block[]
  /** Its texts can be the owner's. */
  worded?: { mail: MailName; write: (own: MailTexts) => MailContent }
}

const common = {
  shop: SITE.name,
  'support-email': SITE.supportEmail,
  'making-days': SITE.makingDays,
  'delivery-days': SITE.deliveryDays,
  'refund-days': SITE.refundDays,
  'return-days': SITE.returnDays,
  'answer-hours': SITE.responseHours,
}

/**
 * An email with the texts of the house, which the outbox replaces by the owner's.
 * @param values of its placeholders
 * @param write gets the texts with their placeholders filled in
 */
export function worded(
  mail: MailName,
  values: Readonly<Record<string, string>>,
  write: (texts: MailTexts) => MailContent,
): MailContent {
  const writeWith = ({ subject, title, greeting, opening, closing }: MailTexts): MailContent => {
    const filled = (text: string) => fillPlaceholders(text, { ...common, ...values })
    return write({
      // A value may hold a line break, a subject may not.
      subject: filled(subject).replaceAll(/\s*[\r\n]+\s*/g, ' '),
      title: filled(title),
      greeting: filled(greeting),
      opening: filled(opening),
      closing: filled(closing),
    })
  }
  const said = Object.fromEntries(Object.entries(houseTexts(mail)).map(([slot, text]) => [slot, sayKnown(text)]))
  return { ...writeWith(said as MailTexts), worded: { mail, write: writeWith } }
}

/** The paragraphs of a text, which are separated by empty lines; none of an empty one. */
export const paragraphs = (text: string): Block[] =>
  text
    .split(/\r?\n\s*\n/)
    .filter((part) => part.trim() !== '')
    .map(paragraph)

export const paragraph = (text: string): Block => ({ kind: 'paragraph', text })

const FIRST_NAME = /^\p{Script=Latin}[\p{Script=Latin}\p{M}'’-]+$/u

/** `Ada` for Ada Lovelace. A name that does not begin with a Latin first name, such as 山田 太郎 or J. Doe, is used whole. */
export function firstNameOf(name: string): string {
  const [first = ''] = name.trim().split(/\s+/)
  return FIRST_NAME.test(first) ? first : name
}
