import * as z from 'zod/mini'
import { objectionToPlaceholders, type MailName } from '#domain/messages/mail-texts.ts'
import { AuditLogEntry } from './admin.ts'
import { call } from './call.ts'
import { multilineText, singleLineText } from './wire.ts'

export const MAIL_LINE_MAX = 150
export const MAIL_TEXT_MAX = 2000

const text = multilineText(0, MAIL_TEXT_MAX, '')

const MailTexts = z.object({
  subject: singleLineText(MAIL_LINE_MAX, 'Please write a subject'),
  title: singleLineText(MAIL_LINE_MAX, 'Please write a headline'),
  greeting: text,
  opening: text,
  closing: text,
})

/** An email's texts, whose placeholders it must have. */
export const textsOf = (mail: MailName) =>
  MailTexts.check(
    z.superRefine((texts, { addIssue }) => {
      for (const [slot, written] of Object.entries(texts)) {
        const message = objectionToPlaceholders(mail, written)
        if (message) addIssue({ code: 'custom', message, path: [slot], input: written })
      }
    }),
  )

const ofMail = z.object({ mail: z.string() })
const withTexts = z.object({ texts: MailTexts })

export const adminMailCalls = {
  list: call({
    method: 'GET',
    path: '/api/admin/mails',
    access: 'read_settings',
    summary: 'Texts of emails where they differ from the house’s, and the latest changes.',
    answer: z.object({ changed: z.record(z.string(), MailTexts), changes: z.array(AuditLogEntry) }),
    refusals: [],
  }),
  save: call({
    method: 'PUT',
    path: '/api/admin/mails/:mail',
    access: 'owner',
    summary:
      'Changes an email’s texts; `was` are those on which the change is based. A `value` of null restores the house’s.',
    params: ofMail,
    body: z.object({ was: z.unknown(), value: z.nullable(MailTexts) }),
    answer: z.object({ done: z.string() }),
    refusals: ['setting_changed', 'unknown_call'],
  }),
  preview: call({
    method: 'POST',
    path: '/api/admin/mails/:mail/preview',
    access: 'owner',
    summary: 'An email with these texts and example data.',
    params: ofMail,
    body: withTexts,
    answer: z.object({ subject: z.string(), html: z.string(), text: z.string() }),
    refusals: ['unknown_call'],
  }),
  test: call({
    method: 'POST',
    path: '/api/admin/mails/:mail/test',
    access: 'owner',
    summary: 'Sends an email with these texts and example data to the owner, at most once a minute.',
    params: ofMail,
    body: withTexts,
    answer: z.object({ done: z.string() }),
    refusals: ['unknown_call'],
  }),
}
