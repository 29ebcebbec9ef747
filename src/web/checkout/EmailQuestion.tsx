import { likelyEmail } from '#domain/checkout/email-typo.ts'

/** A question about a likely typo, which does not block. */
export function EmailQuestion({ email, onChoose }: { email: string; onChoose: (email: string) => void }) {
  const likely = likelyEmail(email)
  if (likely === undefined) return null
  return (
    <p>
      Did you mean{' '}
      <button
        type="button"
        className="link-line font-semibold [overflow-wrap:anywhere]"
        onClick={() => onChoose(likely)}
      >
        {likely}
      </button>
      ?
    </p>
  )
}
