CREATE TABLE "payout_account" (
	"partner_id" integer PRIMARY KEY NOT NULL,
	"details" jsonb NOT NULL,
	"changed_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "attribution" DROP CONSTRAINT "attribution_objection_known";--> statement-breakpoint
ALTER TABLE "commission_entry" DROP CONSTRAINT "commission_entry_kind_known";--> statement-breakpoint
ALTER TABLE "affiliate_click" ADD COLUMN "is_own" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "payment" ADD COLUMN "payer_hash" text;--> statement-breakpoint
ALTER TABLE "payout" ADD COLUMN "destination" text;--> statement-breakpoint
ALTER TABLE "payout_account" ADD CONSTRAINT "payout_account_partner_id_partner_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partner"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attribution" ADD CONSTRAINT "attribution_objection_known" CHECK ("attribution"."objection" is null or "attribution"."objection" in ('own_account', 'own_browser', 'own_email', 'own_address', 'own_card', 'own_wallet', 'partner_ended'));--> statement-breakpoint
ALTER TABLE "commission_entry" ADD CONSTRAINT "commission_entry_kind_known" CHECK ("commission_entry"."kind" in ('sale', 'refund', 'refund_failed', 'dispute', 'dispute_won', 'own_purchase'));