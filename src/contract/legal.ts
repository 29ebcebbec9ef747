import * as z from 'zod/mini'
import { objectionToLegalText } from '#domain/legal/legal-text.ts'
import { languages } from '#shared/language.ts'
import { AuditLogEntry } from './admin.ts'
import { call } from './call.ts'
import { isoMoment, multilineText, singleLineText } from './wire.ts'

/** In characters. */
export const LEGAL_TEXT_MAX = 30_000
export const SIGNED_BY_MAX = 120

const Version = z.object({ version: z.int(), publishedAt: isoMoment })

/** A version of a page's text, with its placeholders. */
const LegalText = z.extend(Version, { text: z.string() })
export type LegalText = z.infer<typeof LegalText>

/** Whose word a translation is; the day is an ISO date. */
const Signature = z.object({ signedBy: z.string(), signedOn: z.iso.date() })

const LegalPage = z.extend(LegalText, {
  /** Every version of this page, newest first. */
  versions: z.array(Version),
  /** Values of placeholders in the version that was asked for. Null for the current one, and if it is from before they were kept. */
  figures: z.nullable(z.record(z.string(), z.string())),
  /** Of this version, in the language that was asked for. Null also for a version that was asked for. */
  translation: z.nullable(z.extend(Signature, { text: z.string() })),
})
export type LegalPage = z.infer<typeof LegalPage>

/** A signed translation that is published, with its placeholders; also of an earlier version than the current one. */
const LegalTranslation = z.extend(Signature, {
  id: z.int(),
  page: z.string(),
  language: z.enum(languages),
  ofVersion: z.int(),
  text: z.string(),
  publishedAt: isoMoment,
})
export type LegalTranslation = z.infer<typeof LegalTranslation>

const place = z.object({ page: z.string().check(z.maxLength(40)), language: z.string().check(z.maxLength(40)) })

export const legalCalls = {
  page: call({
    method: 'GET',
    path: '/api/legal/:page',
    access: 'anyone',
    summary: 'A legal page’s text: the current one, or the one that was current in a version of the legal pages.',
    params: z.object({ page: z.string().check(z.maxLength(40)) }),
    query: z.object({
      version: z.optional(z.string().check(z.maxLength(40))),
      language: z.optional(z.enum(languages)),
    }),
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
    summary: 'The current text of each legal page, the translations, and the latest changes.',
    answer: z.object({
      pages: z.record(z.string(), LegalText),
      translations: z.array(LegalTranslation),
      changes: z.array(AuditLogEntry),
    }),
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
  translate: call({
    method: 'PUT',
    path: '/api/admin/legal/:page/:language',
    access: 'owner',
    summary:
      'Publishes a signed translation of the current version of a legal page; `was` is the id of the translation that it replaces, or null.',
    params: place,
    body: z.object({
      was: z.nullable(z.int()),
      ofVersion: z.int(),
      text: multilineText(1, LEGAL_TEXT_MAX, 'Please write a text'),
      signedBy: singleLineText(SIGNED_BY_MAX, 'Please enter who signed it'),
      signedOn: z.iso.date('Please enter the day on which it was signed'),
    }),
    answer: z.object({ done: z.string() }),
    refusals: ['setting_changed', 'unknown_call'],
  }),
  withdrawTranslation: call({
    method: 'DELETE',
    path: '/api/admin/legal/:page/:language',
    access: 'owner',
    summary: 'Withdraws the translation of a legal page: shoppers read English.',
    params: place,
    answer: z.object({ done: z.string() }),
    refusals: ['unknown_call'],
  }),
}
