import { useState } from 'react'
import type { Acceptance, BelowFloor } from '#contract/below-floor.ts'
import { countriesText, saleText, togetherSentence } from '#domain/catalog/margin-floor.ts'
import { formatUsd } from '#shared/money.ts'
import { ApiError } from '#web/api/client.ts'
import { isRefusal } from '#web/api/error-sentence.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'

type Question = { asked: BelowFloor; accept: () => void; refuse: () => void }

/**
 * For calls that the server refuses as `below_floor`: `dialog` names the sales, and with the owner's yes the call is sent again.
 * Closing the dialog rethrows the refusal.
 */
export function useFloorQuestion() {
  const [question, setQuestion] = useState<Question>()
  const accepted = async <Answer,>(send: (query: Acceptance) => Promise<Answer>): Promise<Answer> => {
    try {
      return await send({})
    } catch (error) {
      const asked = belowFloorIn(error)
      if (!asked) throw error
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- the error is the server's own
      await new Promise<void>((accept, reject) => setQuestion({ asked, accept, refuse: () => reject(error) }))
      return send({ accepted: '1' })
    }
  }
  const close = (how: 'accept' | 'refuse') => {
    question?.[how]()
    setQuestion(undefined)
  }
  return {
    accepted,
    dialog: (
      <Dialog open={question !== undefined} onClose={() => close('refuse')} title={titleOf(question?.asked)}>
        {question && (
          <>
            <BelowFloorSales {...question.asked} />
            <div className="mt-6 flex flex-wrap gap-3">
              <Button onClick={() => close('accept')}>Accept and save</Button>
              <Button variant="outline" onClick={() => close('refuse')}>
                Change nothing
              </Button>
            </div>
          </>
        )}
      </Dialog>
    ),
  }
}

// The server sends it as the contract says.
const belowFloorIn = (error: unknown): BelowFloor | undefined =>
  error instanceof ApiError && isRefusal(error, 'below_floor') ? (error.refusal?.summary as BelowFloor) : undefined

const titleOf = (asked: BelowFloor | undefined): string =>
  asked && asked.floor > 0 ? 'Some sales would leave too little' : 'Some sales would lose money'

const BelowFloorSales = ({ floor, products, more, together = [] }: BelowFloor) => (
  <>
    <p className="text-ink-soft">
      What is left of one piece, sold alone, after the printer, its shipping, the payment provider’s fee and a partner’s
      share{floor > 0 && `; you want at least ${formatUsd(floor)}`}. The worst sale of each product:
    </p>
    {together.length > 0 && <p className="mt-3">{togetherSentence(together)}</p>}
    <ul className="mt-4 grid gap-3">
      {products.map(({ productId, product, worst, countries }) => (
        <li key={productId}>
          <strong>
            {product}: {formatUsd(worst.margin)}
          </strong>
          <span className="block text-sm text-ink-soft">
            {saleText(worst)}. Countries: {countriesText(countries)}.
          </span>
        </li>
      ))}
    </ul>
    {more > 0 && <p className="mt-3">And {more} more.</p>}
  </>
)
