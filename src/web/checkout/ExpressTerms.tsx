import { paths } from '#contract/paths.ts'
import { say } from '#words/say.ts'
import { Sentence } from '#web/ui/Sentence.tsx'
import { spokenAddress } from '#shared/language.ts'
import { OrderTerms } from './OrderTerms.tsx'

/** Where paying is also the yes to the terms. */
export const ExpressTerms = () => (
  <div className="grid gap-3">
    <p className="text-sm text-ink-soft">
      <Sentence
        word="By paying you agree to our {terms}."
        parts={{
          terms: (
            <a href={spokenAddress(paths.termsOfService)} className="link-line">
              {say('terms and conditions')}
            </a>
          ),
        }}
      />
    </p>
    <OrderTerms className="text-sm" />
  </div>
)
