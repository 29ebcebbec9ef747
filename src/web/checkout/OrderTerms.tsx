import { classNames } from '#web/ui/class-names.ts'
import { say } from '#words/say.ts'

/** The wording follows the specification, section 5, Main checkout. */
export const OrderTerms = ({ className = 'text-[0.9375rem]' }: { className?: string }) => (
  <p className={classNames('text-ink-soft', className)}>
    {say(
      'By ordering you confirm that you have checked size and color. Every item is made to order and production starts right after payment, so orders cannot be canceled, modified or refunded, except for manufacturing defects.',
    )}
  </p>
)
