import * as z from 'zod/mini'
import { objectionToLegalText } from '#domain/legal/legal-text.ts'
import { AuditLogEntry } from './admin.ts'
import { call } from './call.ts'
import { isoMoment, multilineText } from './wire.ts'

/** In characters. */
export const LEGAL_TEXT_MAX = 30_000

const Version = z.object({ version: z.int(), publishedAt: isoMoment })

/** A version of a page's text, with its placeholders. */
const LegalText = z.extend(Version, { text: z.string() })
export type LegalText = z.infer<typeof LegalText>

const LegalPage = z.extend(LegalText, {
  /** Every version of this page, newest first. */
  versions: z.array(Version),
  /** Values of placeholders in the version that was asked for. Null for the current one, and if it is from before they were kept. */
  figures: z.nullable(z.record(z.string(), z.string())),
})
export type LegalPage = z.infer<typeof LegalPage>

export const legalCalls = {
  page: call({
    method: 'GET',
    path: '/api/legal/:page',
    access: 'anyone',
    summary: 'A legal page’s text: the current one, or the one that was current in a version of the legal pages.',
    params: z.object({ page: z.string().check(z.maxLength(40)) }),
    query: z.object({ version: z.optional(z.string().check(z.maxLength(40))) }),
    answer: LegalPage,
    refusals: ['unknown_call'],
    shared: true,
  }),
}

export const adminLegalCalls = {
  list: call({
    method: 'GET',
    path: '/api/admin/legal',
    access: 'read_settings',
    summary: 'The current text of each legal page, and the latest changes.',
    answer: z.object({ pages: z.record(z.string(), LegalText), changes: z.array(AuditLogEntry) }),
    refusals: [],
  }),
  publish: call({
    method: 'PUT',
    path: '/api/admin/legal/:page',
    access: 'owner',
    summary: 'Publishes a new version of a legal page; `was` is the version on which it is based.',
    params: z.object({ page: z.string().check(z.maxLength(40)) }),
    body: z.object({
      was: z.int(),
      text: multilineText(1, LEGAL_TEXT_MAX, 'Please write a text').check(
        z.superRefine((text, { addIssue }) => {
          const message = objectionToLegalText(text)
          if (message) addIssue({ code: 'custom', message, input: text })
        }),
      ),
    }),
    answer: z.object({ done: z.string() }),
    refusals: ['setting_changed', 'unknown_call'],
  }),
}
