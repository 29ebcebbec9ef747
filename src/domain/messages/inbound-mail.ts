import { words, type Word } from '#words/words.ts'

/** Headers of an email, by lower-case name; the first of several. */
export type MailHeaders = Readonly<Record<string, string | undefined>>

/**
 * Whether a program wrote an email: an out-of-office notice (RFC 3834), a report about a delivery (RFC 3464), or a list's email. They
 * are never answered, so two programs cannot write to each other for ever.
 */
export function isAutomatic(headers: MailHeaders, from: string): boolean {
  const value = (name: string) => headers[name]?.trim().toLowerCase() ?? ''
  const submitted = value('auto-submitted')
  return (
    (submitted !== '' && !submitted.startsWith('no')) ||
    /^(?:bulk|junk|list|auto_reply)$/.test(value('precedence')) ||
    ['x-autoreply', 'x-autorespond', 'x-auto-response-suppress', 'list-id', 'list-unsubscribe'].some(
      (name) => name in headers,
    ) ||
    value('return-path') === '<>' ||
    value('content-type').startsWith('multipart/report') ||
    /^(?:mailer-daemon|postmaster|no-?reply)@/i.test(from)
  )
}

/** Stands above what our emails quote, so that any language's email program shows where the answer ends. */
export const REPLY_LINE = 'Write your reply above this line.' satisfies Word
const replyLines = [REPLY_LINE, ...Object.values(words[REPLY_LINE])]

/** Longer emails are cut off before they are read. */
const LENGTH_MAX = 50_000
const HTML_MAX = 300_000

// cspell:disable
/** The lines with which email programs introduce what they quote. */
const introductions: readonly RegExp[] = [
  /^[\s>]*(?:On|Am|Le|El|Il|Op|Em|Den) .{5,300}(?:wrote|schrieb|a écrit|escribió|ha scritto|schreef|escreveu|skrev).{0,100}:\s*$/m,
  /^[\s>]*On .{5,200}\n.{0,200}wrote:\s*$/m,
  /^[\s>*]*-{2,}\s*(?:Original Message|Ursprüngliche Nachricht|Message d'origine|Forwarded message)\s*-{2,}/im,
  /^[\s>*]*From:\**\s.{3,300}\n[\s>*]*(?:Sent|Date|To):/m,
  /^_{20,}\s*$/m,
]
// cspell:enable

/** Two dashes and a blank begin a signature (RFC 3676, section 4.3). */
const SIGNATURE = /^-- $/m

/** What somebody wrote, without what their email program quoted below. A text that is nothing but a quote stays whole. */
export function trimQuoted(text: string): string {
  const whole = text.slice(0, LENGTH_MAX).replaceAll('\r\n', '\n').trim()
  const marks = [
    ...replyLines.map((line) => whole.indexOf(line)),
    ...[...introductions, SIGNATURE].map((mark) => whole.search(mark)),
  ]
  const end = Math.min(...marks.filter((at) => at >= 0), whole.length)
  const written = whole
    .slice(0, end)
    .replace(/(?:\n[ \t]*>[^\n]*)+\s*$/, '')
    .replace(/\n[\s>]*$/, '')
    .trim()
  return written || whole
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

const decode = (text: string): string =>
  text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{1,8}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return entities[String(name).toLowerCase()] ?? whole
    const point = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal)
    return point > 0 && point <= 0x10_ff_ff ? String.fromCodePoint(point) : whole
  })

/** The words of an HTML email, without what it quotes. For reading only: what is left of its tags is shown as text. */
export const textOfHtml = (html: string): string =>
  decode(
    html
      .slice(0, HTML_MAX)
      .replaceAll(/<(style|script|head|title)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, '')
      .replaceAll(/<!--[\s\S]*?(?:-->|$)/g, '')
      .replace(/<(?:blockquote|div[^<>]{0,200}(?:gmail_quote|yahoo_quoted|moz-cite-prefix))[\s\S]*$/i, '')
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/<(?:br|\/p|\/div|\/li|\/tr|\/h\d)\b[^<>]*>/gi, '\n')
      .replaceAll(/<[^<>]{0,2000}>/g, ''),
  )
    .replaceAll(/[ \t]*\n[ \t]*/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
