import { html } from '../html.ts'
import type { WrittenMail } from './confirmation.ts'

const FONT = `font:16px/1.5 'Helvetica Neue', Helvetica, Arial, sans-serif;`

type OwnerMail = {
  subject: string
  /** Line breaks are kept. */
  paragraphs: readonly string[]
  facts?: readonly (readonly [name: string, value: string | null])[]
  /** The admin page to act on. */
  link: string
  action?: string
}

/** A plain email to the shop's own people. */
export function ownerMail({
  subject,
  paragraphs,
  facts = [],
  link,
  action = 'Answer in the admin',
}: OwnerMail): WrittenMail {
  const known = facts.filter(([, value]) => value)
  const page = html`<!doctype html>
    <html lang="en" dir="ltr">
      <head>
        <meta charset="utf-8" />
        <title>${subject}</title>
      </head>
      <body style="margin:0;padding:24px;${FONT}">
        <h1 style="margin:0 0 16px;font-size:20px;line-height:1.3;">${subject}</h1>
        ${known.map(([name, value]) => html`<p style="margin:0 0 4px;">${name}: <strong>${value}</strong></p>`)}
        ${paragraphs.map((part) => html`<div style="margin:16px 0 0;white-space:pre-wrap;">${part}</div>`)}
        <p style="margin:24px 0 0;"><a href="${link}">${action}</a></p>
      </body>
    </html>`
  return {
    subject,
    text: [known.map(([name, value]) => `${name}: ${value}`).join('\n'), ...paragraphs, `${action}: ${link}`]
      .filter(Boolean)
      .join('\n\n'),
    html: page.toString(),
  }
}
