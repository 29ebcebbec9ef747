CREATE TABLE "wallet_order" (
	"id" text PRIMARY KEY NOT NULL,
	"checkout_id" uuid NOT NULL,
	"quote_hash" text NOT NULL,
	"attempt" integer NOT NULL,
	"refusals" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"look_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "checkout" ADD COLUMN "terms_version" text;--> statement-breakpoint
ALTER TABLE "checkout" ADD COLUMN "terms_accepted_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "shop_order" ADD COLUMN "terms_version" text;--> statement-breakpoint
ALTER TABLE "shop_order" ADD COLUMN "terms_accepted_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "wallet_order" ADD CONSTRAINT "wallet_order_checkout_id_checkout_id_fk" FOREIGN KEY ("checkout_id") REFERENCES "public"."checkout"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "wallet_order_checkout_id_quote_hash_index" ON "wallet_order" USING btree ("checkout_id","quote_hash");--> statement-breakpoint
CREATE INDEX "wallet_order_to_look_at" ON "wallet_order" USING btree ("look_at") WHERE "wallet_order"."look_at" is not null;--> statement-breakpoint
-- A checkout that was offered to the wallet alone names its latest wallet order.
CREATE OR REPLACE VIEW audit_checkouts AS
  SELECT c.id, c.created_at, c.state, c.currency, c.subtotal_cents, c.shipping_cents, c.surcharge_cents, c.tax_cents,
         c.vat_protection_cents, c.total_cents, c.country,
         coalesce(c.provider, CASE WHEN w.id IS NOT NULL THEN 'paypal' END) AS provider,
         coalesce(c.provider_payment_id, w.id) AS provider_payment_id, o.id AS order_id
  FROM checkout c
  LEFT JOIN shop_order o ON o.checkout_id = c.id
  LEFT JOIN LATERAL (
    SELECT id FROM wallet_order WHERE checkout_id = c.id AND c.provider IS NULL ORDER BY created_at DESC LIMIT 1
  ) w ON true;
