import { useSearchParams } from 'react-router'
import type { Product } from '#contract/catalog.ts'
import { paths } from '#contract/paths.ts'
import { QUANTITY_MAX } from '#domain/cart/cart.ts'
import { firstVariant } from '#domain/catalog/options.ts'
import { variantNameOf } from '#domain/catalog/variant-name.ts'
import { formatUsd } from '#shared/money.ts'
import { formMessageIn } from '#web/cart/form-messages.ts'
import { buttonClass } from '#web/ui/Button.tsx'
import { inputClass } from '#web/ui/input-class.ts'
import type { Variant } from './use-variants.ts'

type Props = { product: Product; variants: readonly Variant[]; chosen: Variant | undefined }

/**
 * Choice and order in one plain form, for browsers that run no script. Not the option buttons themselves: which size is made
 * in which color they know only by script, so here each thing that is made has a line of its own.
 */
export function PlainOrder({ product, variants, chosen }: Props) {
  const [parameters] = useSearchParams()
  const saying = formMessageIn(parameters)
  const preset = chosen?.available ? chosen : firstVariant(variants)
  return (
    <form method="post" action={paths.product(product.id)} className="grid gap-4">
      {saying && <p className="rounded-card bg-danger-soft p-4 font-medium text-danger">{saying.text}</p>}
      {variants.length > 1 && (
        <label className="grid gap-1.5 text-[0.9375rem] font-medium">
          Color and size
          <select name="variant" defaultValue={preset?.id} className={inputClass}>
            {variants.map((variant) => (
              <option key={variant.id} value={variant.id} disabled={!variant.available}>
                {lineOf(variant)}
              </option>
            ))}
          </select>
        </label>
      )}
      <div className="flex items-end gap-3">
        <label className="grid gap-1.5 text-[0.9375rem] font-medium">
          Quantity
          <input
            type="number"
            name="quantity"
            min="1"
            max={QUANTITY_MAX}
            defaultValue="1"
            required
            className={`${inputClass} w-24! text-center`}
          />
        </label>
        <button type="submit" disabled={!product.available} className={buttonClass('primary', 'flex-1')}>
          {product.available ? 'Add to Cart' : 'Sold out'}
        </button>
      </div>
    </form>
  )
}

const lineOf = ({ color, size, unitPrice, available }: Variant): string =>
  [
    variantNameOf(color, size) ?? 'The only one',
    unitPrice !== undefined && formatUsd(unitPrice),
    !available && 'Sold out',
  ]
    .filter(Boolean)
    .join(', ')
