import { likelyEmail } from '#domain/checkout/email-typo.ts'
import { Sentence } from '#web/ui/Sentence.tsx'

/** A question about a likely typo, which does not block. */
export function EmailQuestion({ email, onChoose }: { email: string; onChoose: (email: string) => void }) {
  const likely = likelyEmail(email)
  if (likely === undefined) return null
  return (
    <p>
      <Sentence
        word="Did you mean {email}?"
        parts={{
          email: (
            <button
              type="button"
              className="link-line font-semibold [overflow-wrap:anywhere]"
              onClick={() => onChoose(likely)}
            >
              {likely}
            </button>
          ),
        }}
      />
    </p>
  )
}
