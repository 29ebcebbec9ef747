/** A quoted CSV cell that spreadsheets never run as a formula, not even one that starts with a full-width sign. */
export function csvCell(text: string): string {
  const harmless = /^\s*[=+\-@\t\r]/.test(text.normalize('NFKC')) ? `'${text}` : text
  return `"${harmless.replace(/"/g, '""').replace(/[\r\n]+/g, ' ')}"`
}
