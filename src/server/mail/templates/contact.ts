import type { ContactMessage } from '#contract/messages.ts'
import { html } from '../html.ts'
import type { WrittenMail } from './confirmation.ts'

const FONT = `font:16px/1.5 'Helvetica Neue', Helvetica, Arial, sans-serif;`

/** A contact form message, as the support inbox gets it. */
export function contactMail({ name, email, subject, message }: ContactMessage): WrittenMail {
  const title = `Contact form: ${subject}`
  const from = `${name} <${email}>`
  const page = html`<!doctype html>
    <html lang="en" dir="ltr">
      <head>
        <meta charset="utf-8" />
        <title>${title}</title>
      </head>
      <body style="margin:0;padding:24px;${FONT}">
        <h1 style="margin:0;font-size:20px;line-height:1.3;">${subject}</h1>
        <p style="margin:8px 0 20px;">From ${name}, <a href="mailto:${email}">${email}</a></p>
        <div style="white-space:pre-wrap;">${message}</div>
      </body>
    </html>`
  return { subject: title, text: [`From: ${from}`, `Subject: ${subject}`, message].join('\n\n'), html: page.toString() }
}
