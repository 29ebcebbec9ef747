import type { StoredPicture } from '#contract/admin-pictures.ts'
import { ApiError } from '#web/api/client.ts'

/** The body is the file itself. @throws ApiError with why it was refused */
export async function uploadDrawing(file: File, alt: string): Promise<StoredPicture> {
  const answer = await fetch(`/api/admin/pictures?${new URLSearchParams({ kind: 'drawing', alt })}`, {
    method: 'POST',
    credentials: 'include',
    headers: { 'content-type': file.type || 'application/octet-stream' },
    body: file,
  })
  const text = await answer.text()
  const body = JSON.parse(text) as unknown
  if (!answer.ok) throw new ApiError({ status: answer.status, statusText: answer.statusText, text, body })
  return body as StoredPicture
}
