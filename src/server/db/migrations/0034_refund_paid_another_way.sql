ALTER TABLE "refund" ADD COLUMN "pays_refund_id" integer;--> statement-breakpoint
ALTER TABLE "refund" ADD COLUMN "reference" text;--> statement-breakpoint
ALTER TABLE "refund" ADD CONSTRAINT "refund_pays_refund_id_refund_id_fk" FOREIGN KEY ("pays_refund_id") REFERENCES "public"."refund"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refund" ADD CONSTRAINT "refund_paysRefundId_unique" UNIQUE("pays_refund_id");