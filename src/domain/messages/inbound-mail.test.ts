import { expect, test } from 'vitest'
import { isAutomatic, REPLY_LINE, textOfHtml, trimQuoted } from './inbound-mail.ts'

test.each([
  ['an out-of-office notice', { 'auto-submitted': 'auto-replied' }, 'ada@mail.example'],
  ['an older out-of-office notice', { precedence: 'auto_reply' }, 'ada@mail.example'],
  [
    'a report that an email bounced',
    { 'content-type': 'multipart/report; report-type=delivery-status' },
    'x@mail.example',
  ],
  ['what mail servers write', {}, 'MAILER-DAEMON@mail.example'],
  ['an email without a sender', { 'return-path': '<>' }, 'ada@mail.example'],
  ['an email of a list', { 'list-id': '<fans.mail.example>' }, 'ada@mail.example'],
])('%s is automatic', (_, headers, from) => {
  expect(isAutomatic(headers, from)).toBe(true)
})

test('an email that a person wrote is not automatic', () => {
  expect(isAutomatic({ 'auto-submitted': 'no', 'return-path': '<ada@mail.example>' }, 'ada@mail.example')).toBe(false)
})

test.each([
  ['Gmail', 'It is blue.\n\nOn Mon, Nov 23, 2026 at 9:14 AM Pawtelier <support@shop.example> wrote:\n> Which color?'],
  [
    'Gmail with a broken line',
    'It is blue.\n\nOn Mon, Nov 23, 2026 at 9:14 AM Pawtelier\n<support@shop.example> wrote:\n> Which?',
  ],
  [
    'Outlook',
    'It is blue.\n\n________________________________\nFrom: Pawtelier\nSent: Monday\nTo: Ada\n\nWhich color?',
  ],
  ['Apple Mail', 'It is blue.\r\n\r\n> On Nov 23, 2026, at 9:14, Pawtelier wrote:\r\n>\r\n> Which color?'],
  ['a German program', 'It is blue.\n\nAm 23.11.2026 um 09:14 schrieb Pawtelier:\n> Which color?'],
  ['any program, by our own line', `It is blue.\n\nMåndag skrev butiken\n> ${REPLY_LINE}\n> Which color?`],
  ['any program, by our line in Japanese', 'It is blue.\n\n> この行より上に返信をお書きください。\n>\n> Which color?'],
  ['a program that only quotes', 'It is blue.\n> Which color?\n> Ada'],
  ['a signature', 'It is blue.\n-- \nAda Fan\nSan Francisco'],
])('of a reply only what was written is kept: %s', (_, text) => {
  expect(trimQuoted(text).split('\n')[0]).toBe('It is blue.')
  expect(trimQuoted(text)).not.toContain('Which')
  expect(trimQuoted(text)).not.toContain('San Francisco')
})

test('an answer below a quote, and a text that is only a quote, are kept whole', () => {
  expect(trimQuoted('> Which color?\nIt is blue.')).toBe('> Which color?\nIt is blue.')
  expect(trimQuoted('> Which color?')).toBe('> Which color?')
})

test('of an HTML email the words are left, without styles, scripts and quotes', () => {
  const html = `<html><head><style>p{color:red}</style></head><body><p>It&#39;s blue &amp; soft.</p><script>alert(1)</script>
    <div>Ada<br>Fan</div><blockquote>Which color?</blockquote></body></html>`
  expect(textOfHtml(html)).toBe("It's blue & soft.\nAda\nFan")
})

test('a huge HTML email is read quickly', () => {
  const begun = performance.now()
  textOfHtml('<'.repeat(200_000))
  trimQuoted('> On \n'.repeat(20_000))
  expect(performance.now() - begun).toBeLessThan(2000)
})
