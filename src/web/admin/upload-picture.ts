import type { StoredPicture, UploadKind } from '#contract/admin-pictures.ts'
import { ApiError, type ApiResponse } from '#web/api/client.ts'

/**
 * Sends a file as it is. `fetch` cannot tell how much of it is sent.
 * @param onProgress 0..1; 1 while the shop makes its sizes
 * @throws ApiError for any status but 2xx; Error without an answer
 */
export function uploadPicture(
  file: Blob,
  { kind, alt }: { kind: UploadKind; alt: string },
  onProgress: (share: number) => void,
): Promise<StoredPicture> {
  const { promise, resolve, reject } = Promise.withResolvers<StoredPicture>()
  const request = new XMLHttpRequest()
  request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0))
  request.addEventListener('error', () => reject(new Error('The connection was lost, so nothing was stored.')))
  request.addEventListener('load', () => {
    const { status, statusText, responseText: text } = request
    const body = parse(text)
    if (status >= 200 && status < 300) resolve(body as StoredPicture)
    else reject(new ApiError({ status, statusText, text, body } satisfies ApiResponse))
  })
  request.open('POST', `/api/admin/pictures?${new URLSearchParams({ kind, alt }).toString()}`)
  request.setRequestHeader('content-type', 'application/octet-stream')
  request.send(file)
  return promise
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
