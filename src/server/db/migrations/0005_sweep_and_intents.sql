ALTER TABLE "checkout" ADD COLUMN "intent_quote_hash" text;--> statement-breakpoint
CREATE INDEX "mail_unsent" ON "mail" USING btree ("created_at") WHERE "mail"."state" = 'queued';