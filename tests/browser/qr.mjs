// What a phone's camera would read in what is on the screen.
import jsQR from 'jsqr';

// The words of the QR code within this part of the page; null: none is found.
export async function readQr(visitor, selector) {
    const picture = (await visitor.page.locator(selector).screenshot()).toString('base64');
    const page = await visitor.context.newPage(); // none of ours, whose policy admits no such picture
    const {pixels, width, height} = await page.evaluate(async picture => {
        const bytes = Uint8Array.from(atob(picture), letter => letter.charCodeAt(0));
        const bitmap = await createImageBitmap(new Blob([bytes], {type: 'image/png'}));
        const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
        canvas.drawImage(bitmap, 0, 0);
        return {pixels: [...canvas.getImageData(0, 0, bitmap.width, bitmap.height).data], width: bitmap.width, height: bitmap.height};
    }, picture);
    await page.close();
    return jsQR(Uint8ClampedArray.from(pixels), width, height, {inversionAttempts: 'dontInvert'})?.data ?? null;
}
