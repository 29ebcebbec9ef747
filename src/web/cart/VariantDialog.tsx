import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { CartLine } from '#contract/cart.ts'
import type { ProductWithRelated } from '#contract/catalog.ts'
import { spokenName } from '#domain/catalog/product-name.ts'
import { QUANTITY_MAX } from '#domain/cart/cart.ts'
import { mainPicture } from '#domain/catalog/gallery.ts'
import { variantNameOf } from '#domain/catalog/variant-name.ts'
import { sayVariant } from '#domain/catalog/variant-name.ts'
import { say } from '#words/say.ts'
import { sentenceOf } from '#web/api/error-sentence.ts'
import { productQuery } from '#web/api/queries.ts'
import { useApi } from '#web/api/use-api.ts'
import { OptionPicker } from '#web/catalog/OptionPicker.tsx'
import { Picture } from '#web/catalog/Picture.tsx'
import { ProductName } from '#web/catalog/ProductName.tsx'
import { buyLabels } from '#web/catalog/use-buy-button.ts'
import { useOptionChoice } from '#web/catalog/use-option-choice.ts'
import { useVariants, type Variant } from '#web/catalog/use-variants.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Price } from '#web/ui/Price.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { useToast } from '#web/ui/toast.tsx'
import { useCart } from './use-cart.tsx'

type LineProps = { line: CartLine; onClose: () => void }

/** The product page's picker for a line of the cart. It starts with what is in the cart each time it opens. */
export const VariantDialog = ({ open, ...props }: LineProps & { open: boolean }) => (
  <Dialog
    open={open}
    onClose={props.onClose}
    title={
      <>
        <span className="sr-only">{`${say('Change')} `}</span>
        <ProductName name={props.line.productName} />
      </>
    }
  >
    {open && <Options {...props} />}
  </Dialog>
)

/** What the answers fill, so the dialog does not jump. */
const LOADING = 'min-h-80'

function Options(props: LineProps) {
  const query = useQuery(productQuery(String(props.line.productId)))
  return (
    <QueryBoundary query={query} className={LOADING}>
      {(product) => <Variants {...props} {...product} />}
    </QueryBoundary>
  )
}

type ProductProps = LineProps & Pick<ProductWithRelated, 'product' | 'specs'>

function Variants(props: ProductProps) {
  const query = useVariants(props.product, { enabled: true, refetchOnWindowFocus: true })
  return (
    <QueryBoundary query={query} className={LOADING}>
      {(variants) => <Choice {...props} variants={variants} />}
    </QueryBoundary>
  )
}

function Choice({ line, onClose, product, specs, variants }: ProductProps & { variants: readonly Variant[] }) {
  const { chosen, state, unavailable, remark, choose } = useOptionChoice(variants, line.variantId)
  const { lines } = useCart()
  const { save, isBusy, problem } = useSave(line, onClose)
  if (!chosen || !state) return null

  const variantName = variantNameOf(chosen.color, chosen.size)
  const name = variantName === null ? product.name : sayVariant(variantName)
  const isSame = chosen.id === line.variantId
  const other = isSame ? undefined : lines.find(({ variantId }) => variantId === chosen.id)
  return (
    <>
      <div className="grid grid-cols-[5.5rem_1fr] items-start gap-5 sm:grid-cols-[11rem_1fr]">
        <Picture
          picture={mainPicture(product.images, { clicked: undefined, color: chosen.color })}
          alt=""
          sizes="(min-width: 640px) 176px, 88px"
          className="plate aspect-square w-full rounded-card object-cover sm:row-span-2"
        />
        <p className="leading-snug">
          <Price amount={chosen.unitPrice ?? line.price} className="text-[1.25rem] font-semibold" />
          {line.quantity > 1 && (
            <span className="text-ink-soft">{` ${say('each, {count} in your cart', { count: line.quantity })}`}</span>
          )}
        </p>
        <div className="max-sm:col-span-2">
          <OptionPicker
            colors={product.colors}
            variants={variants}
            chosen={chosen}
            unavailable={unavailable}
            onChoose={choose}
            specs={specs}
          />
        </div>
      </div>
      <p role="status" className="mt-5 text-[0.9375rem] font-medium empty:hidden">
        {remark || (other && !unavailable && mergeSentence(name, line.quantity + other.quantity))}
      </p>
      <Button
        busy={isBusy}
        aria-disabled={state !== 'available'}
        className="mt-5 w-full"
        onClick={() => (isSame ? onClose() : void save(chosen.id))}
      >
        {state === 'available'
          ? isSame
            ? say('Keep {name}', { name })
            : say('Change to {name}', { name })
          : say(buyLabels[state])}
      </Button>
      <p role="alert" className="mt-2.5 text-[0.9375rem] font-medium text-danger empty:hidden">
        {problem}
      </p>
    </>
  )
}

function mergeSentence(name: string, pieces: number): string {
  const count = Math.min(pieces, QUANTITY_MAX)
  const sentence = say('{name} is in your cart already. Both become one line of {count}.', { name, count })
  return pieces > QUANTITY_MAX ? `${sentence} ${say('That is the most we take.')}` : sentence
}

/** @param onClose runs when the line is changed */
function useSave({ id }: CartLine, onClose: () => void) {
  const { settle, refetch } = useCart()
  const api = useApi()
  const { toast } = useToast()
  const [isBusy, setIsBusy] = useState(false)
  const [problem, setProblem] = useState<string>()

  const save = async (variantId: number) => {
    setIsBusy(true)
    setProblem(undefined)
    try {
      // Quantities first: their line may be part of another one after this.
      await settle()
      const changed = await api('PUT /api/cart/:id', { params: { id }, body: { variantId } })
      onClose()
      await refetch()
      toast({
        title: say('Cart updated'),
        description: `${changed.quantity} × ${spokenName(changed.productName)}, ${sayVariant(changed.variantName ?? '')}`,
      })
      // The dialog gives the focus back to its button, which a line that became part of another has taken along.
      if (changed.id !== id)
        requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-change="${changed.id}"]`)?.focus())
    } catch (error) {
      setProblem(sentenceOf(error))
      setIsBusy(false)
    }
  }
  return { save, isBusy, problem }
}
