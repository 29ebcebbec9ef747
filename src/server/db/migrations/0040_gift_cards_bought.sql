CREATE TABLE "gift_card_purchase" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"request_key" uuid NOT NULL,
	"amount_cents" bigint NOT NULL,
	"buyer_email" text NOT NULL,
	"recipient_email" text,
	"sender_name" text,
	"message" text,
	"intent_id" text,
	"client_secret" text,
	"attempt" integer DEFAULT 0 NOT NULL,
	"is_closed" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"payment_key" text,
	"gift_card_id" integer,
	"dispute_loss_cents" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "gift_card_purchase_requestKey_unique" UNIQUE("request_key"),
	CONSTRAINT "gift_card_purchase_intentId_unique" UNIQUE("intent_id"),
	CONSTRAINT "gift_card_purchase_paymentKey_unique" UNIQUE("payment_key"),
	CONSTRAINT "gift_card_purchase_giftCardId_unique" UNIQUE("gift_card_id"),
	CONSTRAINT "gift_card_purchase_amounts_not_negative" CHECK ("gift_card_purchase"."amount_cents" >= 0 and "gift_card_purchase"."dispute_loss_cents" >= 0),
	CONSTRAINT "gift_card_purchase_paid_has_card" CHECK (("gift_card_purchase"."payment_key" is null) = ("gift_card_purchase"."gift_card_id" is null))
);
--> statement-breakpoint
ALTER TABLE "gift_card" DROP CONSTRAINT "gift_card_amounts_not_negative";--> statement-breakpoint
ALTER TABLE "gift_card" ADD COLUMN "frozen_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "gift_card" ADD COLUMN "lost_cents" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "gift_card_purchase" ADD CONSTRAINT "gift_card_purchase_payment_key_payment_payment_key_fk" FOREIGN KEY ("payment_key") REFERENCES "public"."payment"("payment_key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gift_card_purchase" ADD CONSTRAINT "gift_card_purchase_gift_card_id_gift_card_id_fk" FOREIGN KEY ("gift_card_id") REFERENCES "public"."gift_card"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gift_card" ADD CONSTRAINT "gift_card_amounts_not_negative" CHECK ("gift_card"."issued_cents" >= 0 and "gift_card"."balance_cents" >= 0 and "gift_card"."lost_cents" >= 0);
--> statement-breakpoint
CREATE OR REPLACE VIEW audit_gift_cards AS
  SELECT c.id, c.state, c.issued_cents, c.balance_cents, coalesce(sum(m.amount_cents), 0)::bigint AS moved_cents, c.created_at,
         p.payment_key, c.frozen_at, c.lost_cents
  FROM gift_card c LEFT JOIN gift_card_movement m ON m.gift_card_id = c.id
  LEFT JOIN gift_card_purchase p ON p.gift_card_id = c.id
  GROUP BY c.id, p.payment_key;
