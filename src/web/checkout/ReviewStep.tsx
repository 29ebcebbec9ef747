import type { ReactNode, RefObject } from 'react'
import type { OrderSummary } from '#contract/checkout.ts'
import { formatUsd } from '#shared/money.ts'
import { Button } from '#web/ui/Button.tsx'
import { say } from '#words/say.ts'
import { AgeCheckbox } from './AgeCheckbox.tsx'
import type { CustomerForm } from './customer-form.ts'
import { CustomerSummary } from './CustomerSummary.tsx'
import { OrderTerms } from './OrderTerms.tsx'
import { QuoteNotices } from './Summary.tsx'
import type { AgeAgreement } from './use-shopper-input.ts'

type Props = {
  form: CustomerForm
  phone: string
  /** Undefined while it is being recalculated. */
  summary: OrderSummary | undefined
  age: AgeAgreement | undefined
  isWorking: boolean
  notice: ReactNode
  headingRef: RefObject<HTMLHeadingElement | null>
  onEdit: () => void
  onPay: () => void
}

/** Step 2 of the alternate checkout. */
export function ReviewStep({ form, phone, summary, age, isWorking, notice, headingRef, onEdit, onPay }: Props) {
  return (
    <section aria-labelledby="review-title" className="grid gap-6">
      <h2 ref={headingRef} id="review-title" tabIndex={-1} className="text-[1.375rem] leading-tight outline-none">
        {say('Review your order')}
      </h2>
      <CustomerSummary
        form={form}
        phone={phone.trim()}
        edit={isWorking ? undefined : { label: 'Edit Information', onEdit }}
      />
      <OrderTerms />
      {age && <AgeCheckbox age={age} />}
      {/* On small screens the summary is collapsed, and shoppers must see a surcharge before they pay. */}
      {summary && (
        <div className="-mt-2 empty:hidden md:hidden">
          <QuoteNotices summary={summary} />
        </div>
      )}
      {notice}
      <Button className="w-full text-lg" busy={isWorking || !summary} onClick={onPay}>
        {isWorking
          ? say('Preparing your payment...')
          : summary
            ? say('Pay with Card - {amount}', { amount: formatUsd(summary.total) })
            : say('Calculating shipping and tax...')}
      </Button>
    </section>
  )
}
