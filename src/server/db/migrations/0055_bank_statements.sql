CREATE TABLE "bank_line" (
	"id" serial PRIMARY KEY NOT NULL,
	"statement_id" integer NOT NULL,
	"line_key" text NOT NULL,
	"day" date NOT NULL,
	"amount_cents" bigint NOT NULL,
	"currency" text NOT NULL,
	"text" text NOT NULL,
	CONSTRAINT "bank_line_lineKey_unique" UNIQUE("line_key")
);
--> statement-breakpoint
CREATE TABLE "bank_match" (
	"id" serial PRIMARY KEY NOT NULL,
	"line_id" integer NOT NULL,
	"provider" text NOT NULL,
	"payout_id" text NOT NULL,
	"matched_by" text NOT NULL,
	"matched_at" timestamp with time zone NOT NULL,
	"undone_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "bank_statement" (
	"id" serial PRIMARY KEY NOT NULL,
	"file_hash" text NOT NULL,
	"name" text NOT NULL,
	"account" text NOT NULL,
	"from_day" date NOT NULL,
	"to_day" date NOT NULL,
	"lines" integer NOT NULL,
	"uploaded_at" timestamp with time zone NOT NULL,
	CONSTRAINT "bank_statement_fileHash_unique" UNIQUE("file_hash")
);
--> statement-breakpoint
ALTER TABLE "bank_line" ADD CONSTRAINT "bank_line_statement_id_bank_statement_id_fk" FOREIGN KEY ("statement_id") REFERENCES "public"."bank_statement"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bank_match" ADD CONSTRAINT "bank_match_line_id_bank_line_id_fk" FOREIGN KEY ("line_id") REFERENCES "public"."bank_line"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bank_match" ADD CONSTRAINT "bank_match_of_payout" FOREIGN KEY ("provider","payout_id") REFERENCES "public"."provider_payout"("provider","payout_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "bank_line_day_index" ON "bank_line" USING btree ("day");--> statement-breakpoint
CREATE UNIQUE INDEX "bank_match_line_once" ON "bank_match" USING btree ("line_id") WHERE "bank_match"."undone_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "bank_match_payout_once" ON "bank_match" USING btree ("provider","payout_id") WHERE "bank_match"."undone_at" is null;