CREATE TABLE "gift_card_hold" (
	"checkout_id" uuid PRIMARY KEY NOT NULL,
	"gift_card_id" integer NOT NULL,
	"amount_cents" bigint NOT NULL,
	CONSTRAINT "gift_card_hold_positive" CHECK ("gift_card_hold"."amount_cents" > 0)
);
--> statement-breakpoint
CREATE TABLE "session_gift_card" (
	"session_id" text PRIMARY KEY NOT NULL,
	"gift_card_id" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "gift_card" (
	"id" serial PRIMARY KEY NOT NULL,
	"request_key" uuid,
	"code_hash" text NOT NULL,
	"seed" text NOT NULL,
	"last_four" text NOT NULL,
	"state" text DEFAULT 'active' NOT NULL,
	"issued_cents" bigint NOT NULL,
	"balance_cents" bigint NOT NULL,
	"reason" text NOT NULL,
	"recipient_email" text,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "gift_card_requestKey_unique" UNIQUE("request_key"),
	CONSTRAINT "gift_card_codeHash_unique" UNIQUE("code_hash"),
	CONSTRAINT "gift_card_state_known" CHECK ("gift_card"."state" in ('active', 'void')),
	CONSTRAINT "gift_card_amounts_not_negative" CHECK ("gift_card"."issued_cents" >= 0 and "gift_card"."balance_cents" >= 0),
	CONSTRAINT "gift_card_void_is_empty" CHECK ("gift_card"."state" <> 'void' or "gift_card"."balance_cents" = 0)
);
--> statement-breakpoint
CREATE TABLE "gift_card_movement" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"gift_card_id" integer NOT NULL,
	"kind" text NOT NULL,
	"amount_cents" bigint NOT NULL,
	"posting_key" text NOT NULL,
	"order_number" text,
	"moved_at" timestamp with time zone NOT NULL,
	CONSTRAINT "gift_card_movement_postingKey_unique" UNIQUE("posting_key"),
	CONSTRAINT "gift_card_movement_kind_known" CHECK ("gift_card_movement"."kind" in ('issue', 'use', 'return', 'void')),
	CONSTRAINT "gift_card_movement_has_its_sign" CHECK (case when "gift_card_movement"."kind" in ('use', 'void') then "gift_card_movement"."amount_cents" < 0 else "gift_card_movement"."amount_cents" > 0 end)
);
--> statement-breakpoint
ALTER TABLE "refund" ADD COLUMN "gift_card_id" integer;--> statement-breakpoint
ALTER TABLE "shop_order" ADD COLUMN "gift_card_id" integer;--> statement-breakpoint
ALTER TABLE "shop_order" ADD COLUMN "gift_card_cents" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "gift_card_hold" ADD CONSTRAINT "gift_card_hold_checkout_id_checkout_id_fk" FOREIGN KEY ("checkout_id") REFERENCES "public"."checkout"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gift_card_hold" ADD CONSTRAINT "gift_card_hold_gift_card_id_gift_card_id_fk" FOREIGN KEY ("gift_card_id") REFERENCES "public"."gift_card"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "session_gift_card" ADD CONSTRAINT "session_gift_card_session_id_session_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."session"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "session_gift_card" ADD CONSTRAINT "session_gift_card_gift_card_id_gift_card_id_fk" FOREIGN KEY ("gift_card_id") REFERENCES "public"."gift_card"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gift_card_movement" ADD CONSTRAINT "gift_card_movement_gift_card_id_gift_card_id_fk" FOREIGN KEY ("gift_card_id") REFERENCES "public"."gift_card"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "gift_card_hold_gift_card_id_index" ON "gift_card_hold" USING btree ("gift_card_id");--> statement-breakpoint
CREATE INDEX "session_gift_card_gift_card_id_index" ON "session_gift_card" USING btree ("gift_card_id");--> statement-breakpoint
CREATE INDEX "gift_card_last_four_index" ON "gift_card" USING btree ("last_four");--> statement-breakpoint
CREATE INDEX "gift_card_of_email" ON "gift_card" USING btree (lower("recipient_email"));--> statement-breakpoint
CREATE INDEX "gift_card_movement_gift_card_id_index" ON "gift_card_movement" USING btree ("gift_card_id");--> statement-breakpoint
ALTER TABLE "refund" ADD CONSTRAINT "refund_gift_card_id_gift_card_id_fk" FOREIGN KEY ("gift_card_id") REFERENCES "public"."gift_card"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shop_order" ADD CONSTRAINT "shop_order_gift_card_id_gift_card_id_fk" FOREIGN KEY ("gift_card_id") REFERENCES "public"."gift_card"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "refund_gift_card_id_index" ON "refund" USING btree ("gift_card_id") WHERE "refund"."gift_card_id" is not null;--> statement-breakpoint
CREATE INDEX "shop_order_gift_card_id_index" ON "shop_order" USING btree ("gift_card_id") WHERE "shop_order"."gift_card_id" is not null;--> statement-breakpoint
CREATE OR REPLACE VIEW audit_orders AS
  SELECT id, order_number, checkout_id, payment_key, order_status(payment_status, fulfilment_status) AS status,
         payment_status, fulfilment_status, currency, subtotal_cents, shipping_cents, tax_cents, vat_protection_cents,
         total_cents, external_id, printful_order_id, customer_email, created_at, updated_at, gift_card_cents
  FROM shop_order;
--> statement-breakpoint
CREATE OR REPLACE VIEW audit_refunds AS
  SELECT id, payment_key, provider_refund_id, amount_cents, status, created_at, gift_card_id FROM refund;
--> statement-breakpoint
-- What a card is worth, by itself and by its movements.
CREATE VIEW audit_gift_cards AS
  SELECT c.id, c.state, c.issued_cents, c.balance_cents, coalesce(sum(m.amount_cents), 0)::bigint AS moved_cents, c.created_at
  FROM gift_card c LEFT JOIN gift_card_movement m ON m.gift_card_id = c.id GROUP BY c.id;
