CREATE TABLE "saved_cart" (
	"id" serial PRIMARY KEY NOT NULL,
	"token_hash" text,
	"session_id" text,
	"email" text,
	"lines" jsonb NOT NULL,
	"codes" jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"remind_at" timestamp with time zone,
	"reminded_at" timestamp with time zone,
	CONSTRAINT "saved_cart_tokenHash_unique" UNIQUE("token_hash"),
	CONSTRAINT "saved_cart_sessionId_unique" UNIQUE("session_id")
);
--> statement-breakpoint
ALTER TABLE "newsletter_issue" DROP CONSTRAINT "newsletter_issue_state_known";--> statement-breakpoint
ALTER TABLE "newsletter_issue" ADD COLUMN "segment" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "newsletter_issue" ADD COLUMN "send_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "newsletter_issue" ADD COLUMN "paced_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "subscriber" ADD COLUMN "left_because" text;--> statement-breakpoint
ALTER TABLE "saved_cart" ADD CONSTRAINT "saved_cart_session_id_session_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."session"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "saved_cart_reminder" ON "saved_cart" USING btree ("remind_at") WHERE "saved_cart"."reminded_at" is null and "saved_cart"."remind_at" is not null;--> statement-breakpoint
CREATE INDEX "saved_cart_created_at_index" ON "saved_cart" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "saved_cart_of_person" ON "saved_cart" USING btree ("email") WHERE "saved_cart"."email" is not null;--> statement-breakpoint
CREATE INDEX "newsletter_issue_due" ON "newsletter_issue" USING btree ("id") WHERE "newsletter_issue"."state" in ('scheduled', 'sending');--> statement-breakpoint
ALTER TABLE "newsletter_issue" ADD CONSTRAINT "newsletter_issue_scheduled" CHECK ("newsletter_issue"."state" <> 'scheduled' or "newsletter_issue"."send_at" is not null);--> statement-breakpoint
ALTER TABLE "newsletter_issue" ADD CONSTRAINT "newsletter_issue_state_known" CHECK ("newsletter_issue"."state" in ('draft', 'scheduled', 'sending', 'sent'));