import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { FIND_LENGTH_MIN, type Found } from '#contract/admin-find.ts'
import { conversationPaths } from '#contract/conversation-paths.ts'
import { paths } from '#contract/paths.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { formatUsd } from '#shared/money.ts'
import { useCombobox } from '#web/ui/use-combobox.ts'
import { findQuery } from './admin-queries.ts'
import { statusText } from './StatusLabel.tsx'

export type FoundRow = { to: string; text: string; detail: string; imageUrl?: string | null }
export type FoundGroup = { title: string; rows: FoundRow[] }

/** The list of products begins after an id. */
const productPath = (id: number): string => (id > 1 ? `${paths.adminProducts}?after=${id - 1}` : paths.adminProducts)

export const ordersWith = (text: string): string => `${paths.adminOrders}?${new URLSearchParams({ q: text })}`

const countText = (orders: number): string => (orders === 1 ? '1 order' : `${orders.toLocaleString('en-US')} orders`)

/** What was found by kind, in the order of the list; kinds without a match are missing. */
const groupsOf = ({ orders, customers, products, messages }: Found): FoundGroup[] =>
  [
    {
      title: 'Orders',
      rows: orders.map(({ orderNumber, name, status, total }) => ({
        to: paths.adminOrder(orderNumber),
        text: `${formatOrderNumber(orderNumber)}, ${name || 'erased'}`,
        detail: `${statusText(status)}, ${formatUsd(total)}`,
      })),
    },
    {
      title: 'Customers',
      rows: customers.map(({ email, name, orders: count }) => ({
        to: ordersWith(email),
        text: name,
        detail: `${email}, ${countText(count)}`,
      })),
    },
    {
      title: 'Products',
      rows: products.map(({ id, name, state, imageUrl }) => ({
        to: productPath(id),
        text: name,
        detail: statusText(state),
        imageUrl,
      })),
    },
    {
      title: 'Messages',
      rows: messages.map(({ id, subject, name, excerpt }) => ({
        to: conversationPaths.thread(id),
        text: name ? `${subject}, ${name}` : subject,
        detail: excerpt,
      })),
    },
  ].filter(({ rows }) => rows.length > 0)

/** The owner's search as a combobox over all kinds; the last option leads to all orders with the text. */
export function useFind(onChoose: (to: string) => void) {
  const { text, isEnabled, isDismissed, dismiss, onType, over } = useCombobox(FIND_LENGTH_MIN)
  const { data, isFetching } = useQuery({
    ...findQuery(text),
    enabled: isEnabled,
    placeholderData: keepPreviousData,
  })
  const isShown = isEnabled && !isDismissed && data !== undefined
  const groups = isShown ? groupsOf(data) : []
  const rows = groups.flatMap((group) => group.rows)
  const hasMore = isShown && data.orders.length > 0
  const addresses = [...rows.map(({ to }) => to), ...(hasMore ? [ordersWith(text)] : [])]
  return {
    ...over(addresses.length, (index) => {
      const to = addresses[index]
      if (to !== undefined) onChoose(to)
    }),
    text,
    groups,
    hasMore,
    /** Nothing has this text in it. */
    isEmpty: isShown && rows.length === 0 && !isFetching,
    dismiss,
    onType,
    /** For screen readers. */
    announcement: !isShown
      ? ''
      : rows.length === 0
        ? 'Nothing found'
        : `${groups.map(({ title, rows: { length } }) => `${length} ${title.toLowerCase()}`).join(', ')}; use the arrow keys to choose`,
  }
}
