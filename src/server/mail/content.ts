import type { CollectionTheme } from '#domain/catalog/collection-theme.ts'
import type { Cents } from '#shared/money.ts'

export type Item = { productName: string; variantName: string | null; quantity: number }

export type OrderLine = Item & {
  unitPrice: Cents
  /** A path on the shop's host, or null. */
  imageUrl: string | null
}

export type Block =
  /** An empty line starts a paragraph; line breaks are kept. */
  | { kind: 'paragraph'; text: string }
  /** Facts without a value are left out. */
  | { kind: 'facts'; facts: readonly (readonly [name: string, value: string | null])[] }
  | { kind: 'items'; title: string; items: readonly Item[] }
  | { kind: 'order lines'; lines: readonly OrderLine[] }
  | { kind: 'amounts'; rows: readonly { name: string; amount: Cents }[]; total: Cents }
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
  theme?: CollectionTheme
  /** For the shop's own people: no header, no footer. */
  isPlain?: boolean
  blocks: readonly Block[]
}

export const paragraph = (text: string): Block => ({ kind: 'paragraph', text })

const FIRST_NAME = /^\p{Script=Latin}[\p{Script=Latin}\p{M}'’-]+$/u

/** `Hi Ada,` for Ada Lovelace. A name that does not begin with a Latin first name, such as 山田 太郎 or J. Doe, is used whole. */
export function salutation(name: string): string {
  const [first = ''] = name.trim().split(/\s+/)
  return `Hi ${FIRST_NAME.test(first) ? first : name},`
}
