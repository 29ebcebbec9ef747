import type { OrderRow } from '#contract/admin-orders.ts'
import { DEFAULT_PICTURE } from '#domain/catalog/default-picture.ts'

/** The first goods of an order as small pictures, and how many pieces it has. */
export const OrderGoods = ({ order: { goods, pieces } }: { order: Pick<OrderRow, 'goods' | 'pieces'> }) => (
  <span className="flex flex-wrap items-center gap-x-1.5 whitespace-nowrap">
    <span className="flex shrink-0 gap-1.5">
      {goods.map(({ name, imageUrl }, index) => (
        <img
          // Two lines may be of one product.
          key={`${name} ${index}`}
          src={imageUrl || DEFAULT_PICTURE}
          alt={name}
          title={name}
          width={32}
          height={32}
          loading="lazy"
          decoding="async"
          className="size-8 max-w-none shrink-0 rounded-[4px] border border-line bg-button-quiet object-cover"
        />
      ))}
    </span>
    <span className="text-ink-soft">{pieces === 1 ? '1 item' : `${pieces.toLocaleString('en-US')} items`}</span>
  </span>
)
