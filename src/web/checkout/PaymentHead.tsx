import type { ReactNode, RefObject } from 'react'
import { say } from '#words/say.ts'

type Props = { headingRef: RefObject<HTMLHeadingElement | null>; children?: ReactNode }

/** The step's name. What it accepts is said by the providers' own forms below. */
export const PaymentHead = ({ headingRef, children }: Props) => (
  <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
    <h2 ref={headingRef} id="payment-title" tabIndex={-1} className="text-[1.375rem] leading-tight outline-none">
      {say('Payment')}
    </h2>
    {children}
  </div>
)
