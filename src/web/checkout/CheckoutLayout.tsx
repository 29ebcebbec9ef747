import type { ReactNode, RefObject } from 'react'
import { paths } from '#contract/paths.ts'
import type { CheckoutVariant, Step } from '#domain/checkout/steps.ts'
import { PageHead } from '#web/ui/PageHead.tsx'
import { say } from '#words/say.ts'
import { Sentence } from '#web/ui/Sentence.tsx'
import { spokenAddress } from '#shared/language.ts'
import { CheckoutFrame } from './CheckoutFrame.tsx'
import { StepList } from './StepList.tsx'

type Props = {
  variant: CheckoutVariant
  step: Step
  titleRef: RefObject<HTMLHeadingElement | null>
  summary: ReactNode
  children: ReactNode
}

export const CheckoutLayout = ({ variant, step, titleRef, summary, children }: Props) => (
  <CheckoutFrame>
    <div className="shell pt-5 pb-8 sm:pt-8 sm:pb-12">
      <PageHead title={say('Checkout')} />
      <meta name="robots" content="noindex" />
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h1 ref={titleRef} tabIndex={-1} className="text-title outline-none">
          {say('Checkout')}
        </h1>
        <StepList variant={variant} current={step} />
      </div>
      <p className="mt-8 hidden max-w-prose rounded-card border border-accent bg-button-quiet p-5 noscript:block">
        <Sentence
          word="Checkout needs JavaScript: your card details go straight from your browser to Stripe. Please turn it on for this page. Your {cart} is saved."
          parts={{
            cart: (
              <a href={spokenAddress(paths.cart)} className="link-line font-medium">
                {say('cart')}
              </a>
            ),
          }}
        />
      </p>
      <div className="mt-5 grid gap-7 noscript:hidden sm:mt-6 md:grid-cols-[minmax(0,1fr)_18rem] md:items-start md:gap-8 lg:mt-7 lg:grid-cols-[minmax(0,1fr)_minmax(20rem,26rem)] lg:gap-16">
        <aside aria-label={say('Your order')} className="md:sticky md:top-6 md:col-start-2 md:row-start-1">
          {summary}
        </aside>
        <div className="min-w-0 md:col-start-1 md:row-start-1">{children}</div>
      </div>
    </div>
  </CheckoutFrame>
)
