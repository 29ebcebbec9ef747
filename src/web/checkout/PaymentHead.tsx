import type { ReactNode, RefObject } from 'react'
import { PaymentMarks } from '#web/ui/PaymentMarks.tsx'
import { say } from '#words/say.ts'

type Props = { headingRef: RefObject<HTMLHeadingElement | null>; children?: ReactNode }

/** The step's name, and what it accepts. */
export const PaymentHead = ({ headingRef, children }: Props) => (
  <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
    <h2 ref={headingRef} id="payment-title" tabIndex={-1} className="text-[1.375rem] leading-tight outline-none">
      {say('Payment')}
    </h2>
    <PaymentMarks />
    {children}
  </div>
)
