import { createHash } from 'node:crypto'
import type Stripe from 'stripe'
import { pagesOfPdf, type UploadedFile } from '#sandbox/kit/multipart.ts'
import { newId, seconds } from './books.ts'
import { badRequest, resourceMissing } from './errors.ts'
import type { Form } from './form.ts'
import type { Needs } from './needs.ts'

/** Limits of evidence (docs.stripe.com/file-upload). */
const SIZE_MAX = 5 * 1024 * 1024
const types: Readonly<Record<string, string>> = { 'application/pdf': 'pdf', 'image/jpeg': 'jpg', 'image/png': 'png' }

/** A file as fields of a form, so that it is checked and remembered like every other call's parameters. */
export const formOfFile = ({ name, type, bytes }: UploadedFile): Form => ({
  name,
  type,
  size: String(bytes.length),
  sha256: createHash('sha256').update(bytes).digest('hex'),
  pages: String(type === 'application/pdf' ? pagesOfPdf(bytes) : 1),
})

type NewFile = { purpose: string; file: { name: string; type: string; size: number; sha256: string; pages: number } }

/** @throws StripeError for a type or size that evidence may not have */
export function createFile({ books, kit, base }: Needs, { purpose, file }: NewFile): Stripe.File {
  const type = types[file.type]
  if (!type)
    throw badRequest('Dispute evidence must be a PDF, JPEG or PNG file.', { code: 'file_type_invalid', param: 'file' })
  if (file.size > SIZE_MAX)
    throw badRequest('The file is larger than 5 MB.', { code: 'file_size_invalid', param: 'file' })
  const id = newId('file')
  const stored: Stripe.File = {
    id,
    object: 'file',
    created: seconds(kit.clock.now()),
    expires_at: null,
    filename: file.name,
    links: { object: 'list', data: [], has_more: false, url: `/v1/file_links?file=${id}` },
    purpose,
    size: file.size,
    title: null,
    type,
    url: `${base()}/v1/files/${id}/contents`,
  }
  books.files.set(id, { stored, pages: file.pages, sha256: file.sha256 })
  return stored
}

export function getFile({ books }: Needs, id: string, param?: string): Stripe.File {
  const file = books.files.get(id)
  if (!file) throw resourceMissing('file', id, param)
  return file.stored
}
