import { paths } from '#contract/paths.ts'
import { OrderTerms } from './OrderTerms.tsx'

/** Where paying is also the yes to the terms. */
export const ExpressTerms = () => (
  <div className="grid gap-3">
    <p className="text-sm text-ink-soft">
      By paying you agree to our{' '}
      <a href={paths.termsOfService} className="link-line">
        terms and conditions
      </a>
      .
    </p>
    <OrderTerms className="text-sm" />
  </div>
)
