/** The largest file that the owner may upload. */
export const UPLOAD_MAX_BYTES = 50 * 1024 * 1024
