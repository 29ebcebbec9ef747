import type { Call } from './types.ts'

/** A file in a `multipart/form-data` body. */
export type UploadedFile = { name: string; type: string; bytes: Buffer }

/** The parts of a `multipart/form-data` body; undefined for another type, or one that cannot be read. */
export async function readMultipart({
  headers,
  raw,
}: Pick<Call, 'headers' | 'raw'>): Promise<
  { fields: Map<string, string>; files: Map<string, UploadedFile> } | undefined
> {
  const type = headers['content-type'] ?? ''
  if (!type.startsWith('multipart/form-data')) return undefined
  try {
    const form = await new Response(new Uint8Array(raw), { headers: { 'content-type': type } }).formData()
    const fields = new Map<string, string>()
    const files = new Map<string, UploadedFile>()
    for (const [name, value] of form) {
      if (typeof value === 'string') fields.set(name, value)
      // A part with a type of its own, such as JSON, is text unless it has a file's name.
      else if (value.name === 'blob') fields.set(name, await value.text())
      else files.set(name, { name: value.name, type: value.type, bytes: Buffer.from(await value.arrayBuffer()) })
    }
    return { fields, files }
  } catch {
    return undefined
  }
}

/** How many pages a PDF has, by its page objects. */
export const pagesOfPdf = (bytes: Buffer): number =>
  bytes.toString('latin1').match(/\/Type\s*\/Page(?![a-zA-Z])/g)?.length ?? 0
