import * as z from 'zod/mini'
import type { ImportChoices } from '#domain/imports/choices.ts'
import { formerShops } from '#domain/imports/former-shop.ts'
import { call } from './call.ts'
import { pathId, singleLineText } from './wire.ts'

/** The largest export file. Longer ones are split by their shop as well. */
export const IMPORT_MAX_BYTES = 50 * 1024 * 1024
/** More are only counted. */
export const PROBLEMS_SHOWN = 500

/** What a file of products brought, or would bring, and what the owner can decide about it. */
const ImportedProducts = z.object({
  /** With the printer's variants. */
  tied: z.int(),
  /** The printer has nothing for these yet. */
  drafts: z.int(),
  /** Of the tied: drafts of an earlier import. */
  completed: z.int(),
  pictures: z.int(),
  /** Old addresses that lead here. */
  redirects: z.int(),
  /** Products that name no collection, and the id of the one that they come to. */
  withoutCollection: z.int(),
  collection: z.nullable(z.string()),
  collections: z.array(z.object({ id: z.string(), name: z.string(), products: z.int(), isNew: z.boolean() })),
  /** Words of the former shop for products whose blank does not tell their type; `type` is chosen or suggested. */
  types: z.array(z.object({ word: z.string(), products: z.int(), type: z.nullable(z.string()) })),
})
export type ImportedProducts = z.output<typeof ImportedProducts>

/** As one query parameter in JSON: what the owner decided about a file of products. */
const choices = z.pipe(
  z.string().check(z.maxLength(8000)),
  z.transform((text, context): ImportChoices => {
    const parsed = Choices.safeParse(jsonOf(text))
    if (parsed.success) return parsed.data
    context.issues.push({ code: 'custom', message: 'Not choices for an import', input: text })
    return z.NEVER
  }),
)

const Choices = z.object({
  collection: z.nullable(singleLineText(200)),
  types: z.record(z.string(), singleLineText(100)),
}) satisfies z.ZodMiniType<ImportChoices>

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** How far the pictures of imported products are. */
const FormerPictures = z.object({
  waiting: z.int(),
  stored: z.int(),
  failedCount: z.int(),
  /** At most 200. */
  failed: z.array(z.object({ id: z.int(), product: z.string(), url: z.string(), reason: z.string() })),
  /** Products with pictures that the export did not describe; at most 200. */
  withoutAlt: z.array(z.object({ id: z.int(), name: z.string(), pictures: z.int() })),
})
export type FormerPictures = z.output<typeof FormerPictures>

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
  /** Of a file of products. */
  products: z.nullable(ImportedProducts),
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
    query: z.object({ dryRun: z.optional(z.enum(['1'])), choices: z.optional(choices) }),
    body: 'bytes',
    answer: ImportReport,
    refusals: ['import_file_refused', 'import_too_large'],
  }),
} as const

export const importPictureCalls = {
  pictures: call({
    method: 'GET',
    path: '/api/admin/imported-pictures',
    access: 'owner',
    summary: 'How far the pictures of imported products are, and what went wrong.',
    answer: FormerPictures,
    refusals: [],
  }),
  retryPictures: call({
    method: 'POST',
    path: '/api/admin/imported-pictures/retry',
    access: 'owner',
    summary: 'Fetches the pictures again that failed.',
    answer: done,
    refusals: [],
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
