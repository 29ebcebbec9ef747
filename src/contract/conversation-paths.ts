/** Apart from `paths`, which every first page has. */
export const conversationPaths = {
  /** Takes an order's key as query. */
  messages: '/order-confirmation/messages',
  thread: (id: number | string) => `/admin/inbox/${id}`,
  replies: '/admin/inbox/replies',
} as const
