-- The amount, and the order whose refund became the card, as auditors ask for them; the previous release reads the columns before them.
CREATE OR REPLACE VIEW audit_gift_cards AS
  SELECT c.id, c.state, c.issued_cents, c.balance_cents, coalesce(sum(m.amount_cents), 0)::bigint AS moved_cents, c.created_at,
         p.payment_key, c.frozen_at, c.lost_cents, c.issued_cents AS amount_cents,
         -- What goes back to the card that paid for an order is a refund with a card too.
         (SELECT min(r.order_id) FROM refund r JOIN shop_order o ON o.id = r.order_id
           WHERE r.gift_card_id = c.id AND o.gift_card_id IS DISTINCT FROM c.id) AS issued_order_id
  FROM gift_card c LEFT JOIN gift_card_movement m ON m.gift_card_id = c.id
  LEFT JOIN gift_card_purchase p ON p.gift_card_id = c.id
  GROUP BY c.id, p.payment_key;
