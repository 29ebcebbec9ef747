import * as z from 'zod/mini'
import { formerShops } from '#domain/imports/former-shop.ts'
import { call } from './call.ts'
import { pathId, singleLineText } from './wire.ts'

/** The largest export file. Longer ones are split by their shop as well. */
export const IMPORT_MAX_BYTES = 50 * 1024 * 1024
/** More are only counted. */
export const PROBLEMS_SHOWN = 500

/** What a file brought, or would bring. */
export const ImportReport = z.object({
  kind: z.enum(['products', 'subscribers', 'redirects', 'orders']),
  isDryRun: z.boolean(),
  rows: z.int(),
  added: z.int(),
  /** Had come before. */
  unchanged: z.int(),
  /** What cannot come, in the order in which it was found. */
  problems: z.array(z.object({ row: z.int(), column: z.nullable(z.string()), reason: z.string() })),
  problemCount: z.int(),
  /** One sentence. */
  done: z.string(),
})
export type ImportReport = z.output<typeof ImportReport>

const RedirectRow = z.object({ id: z.int(), from: z.string(), to: z.string() })
export type RedirectRow = z.output<typeof RedirectRow>

export const RedirectPaths = z.object({
  from: singleLineText(500, 'Please enter an old address, such as /products/cap'),
  to: singleLineText(500, 'Please enter a page of this shop, such as /products'),
})
export type RedirectPaths = z.output<typeof RedirectPaths>

const done = z.object({ done: z.string() })

/** The file is the request's body, so these are bound apart from calls with JSON. */
export const importUploadCalls = {
  import: call({
    method: 'POST',
    path: '/api/admin/imports/:shop',
    access: 'owner',
    summary: 'Imports an export file of a former shop, all or nothing; with `dryRun`, only reports what would come.',
    params: z.object({ shop: z.enum(formerShops) }),
    query: z.object({ dryRun: z.optional(z.enum(['1'])) }),
    body: 'bytes',
    answer: ImportReport,
    refusals: ['import_file_refused', 'import_too_large'],
  }),
} as const

export const adminRedirectCalls = {
  redirects: call({
    method: 'GET',
    path: '/api/admin/redirects',
    access: 'owner',
    summary: 'Old addresses and where they lead, newest first.',
    query: z.object({ after: z.optional(pathId<number>()) }),
    answer: z.object({ redirects: z.array(RedirectRow), next: z.nullable(z.int()) }),
    refusals: [],
  }),
  addRedirect: call({
    method: 'POST',
    path: '/api/admin/redirects',
    access: 'owner',
    summary: 'Lets an old address lead to a page of this shop.',
    body: RedirectPaths,
    answer: done,
    refusals: ['redirect_refused'],
  }),
  removeRedirect: call({
    method: 'DELETE',
    path: '/api/admin/redirects/:id',
    access: 'owner',
    summary: 'Removes a redirect.',
    params: z.object({ id: pathId<number>() }),
    answer: done,
    refusals: [],
  }),
} as const
